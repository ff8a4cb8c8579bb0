# From the export and its codebook to the study: answers of people who count, once each.

#' Ends the program with a message for its user.
refuse <- function(...) stop(structure(class = c("refusal", "error", "condition"), list(message = paste0(...), call = NULL)))

#' The statements, as the codebook has them.
#'
#' @param codebook parsed JSON of GET /v1/{product}/exports/codebook
#' @return data frame, a row a column of answers: column, value (id), name (of the value), life ("ideal", "current"),
#'   inverse (logical), weight, statement (1..4 within the value, in both forms), label, low and high (ends of the scale)
read_items <- function(codebook) {
  answers <- Filter(function(column) startsWith(column$source, "answers/"), codebook$columns)
  has_all <- function(column) !is.null(column$valuesBridgeConfig) && !is.null(column$statementNumber)
  if (length(answers) == 0 || !all(vapply(answers, has_all, TRUE))) {
    refuse("The codebook does not say which value each statement is of. Take it anew, as JSON, from a service of today.")
  }
  of <- function(member, type) vapply(answers, function(column) column[[member]], type)
  of_value <- function(member, type) vapply(answers, function(column) column$valuesBridgeConfig[[member]], type)
  data.frame(
    column = of("name", ""), value = of_value("valueId", 0), name = of_value("valueName", ""),
    life = of_value("lifeContext", ""), inverse = of_value("inverse", TRUE), weight = of_value("omegaWeight", 0),
    statement = of("statementNumber", 0),
    label = of("label", ""), low = of("minimum", 0), high = of("maximum", 0), stringsAsFactors = FALSE
  )
}

#' The languages of the statements, as the codebook has them.
#' @return data frame language (BCP 47 tag), is (what it says of it: a translation, and how far that has come)
read_languages <- function(codebook) {
  column <- Filter(function(column) column$name == "shown_language", codebook$columns)
  values <- if (length(column) > 0) column[[1]]$values
  of <- function(member) vapply(values, function(value) value[[member]], "")
  data.frame(language = of("value"), is = of("label"), stringsAsFactors = FALSE)
}

#' The rows of an export as CSV; columns of answers and numbers as numbers, an empty cell as NA.
read_rows <- function(file, items) {
  rows <- utils::read.csv(file, na.strings = "", colClasses = "character", encoding = "UTF-8", check.names = FALSE)
  needed <- c("session_id", "external_id", "status", "version", "completed_at", "shown_language", "grade", "attempt", items$column)
  missing <- setdiff(needed, names(rows))
  if (length(missing) > 0) {
    refuse("The export lacks the columns ", paste(utils::head(missing, 5), collapse = ", "),
      ". Is the codebook that of the same version? Take both anew from a service of today.")
  }
  numbers <- grep("^(q[0-9]{3}|attempt|version|seconds_per_answer|archetype|total_.*|v[0-9]{2}_(gap|.*_rank)|p[0-9]{4})$", names(rows))
  rows[numbers] <- lapply(rows[numbers], as.numeric)
  rows
}

#' Keyed answers: high means much of the value. Inverse ones are turned round the middle of the scale.
keyed_answers <- function(rows, items) {
  keyed <- as.matrix(rows[items$column])
  dimnames(keyed) <- list(NULL, items$column)
  ends <- rep((items$low + items$high)[items$inverse], each = nrow(keyed))
  keyed[, items$inverse] <- ends - keyed[, items$inverse]
  keyed
}

#' The study: who counts, and what was left out.
#'
#' Counted are completed sessions of one version with an answer to every statement and a grade other than "fail". Of a
#' person the first such session counts: the one that no earlier one has taught anything. Test twins are partners of their
#' own, so an export of real data has none of their sessions.
#'
#' @return list of
#'   items: see read_items; values: data frame id, name, in the order of the circle
#'   people: data frame, a row a person; keyed: matrix people x items, low..high of the scale
#'   repeats: list(first, second) of the same form, people with a second session in time (is_retest), first and second one
#'   counts: named list of sessions left out, by reason; languages: see read_languages
read_study <- function(export_file, codebook_file) {
  codebook <- jsonlite::fromJSON(codebook_file, simplifyVector = FALSE)
  items <- read_items(codebook)
  rows <- read_rows(export_file, items)
  version <- as.numeric(codebook$version)
  counts <- list(sessions = nrow(rows))
  drop <- function(rows, name, keep) {
    counts[[name]] <<- sum(!keep)
    rows[keep, , drop = FALSE]
  }
  # Whoever goes on with an export gets sessions of its last minute again; the last row is how they are now.
  rows <- drop(rows, "cameAgain", !duplicated(rows$session_id, fromLast = TRUE))
  rows <- drop(rows, "ofOtherVersions", rows$version == version)
  rows <- drop(rows, "notCompleted", rows$status == "completed")
  rows <- drop(rows, "incomplete", stats::complete.cases(rows[items$column]))
  rows <- drop(rows, "graded fail", is.na(rows$grade) | rows$grade != "fail")
  names(counts)[names(counts) == "graded fail"] <- "gradedFail"
  # "radix" orders by bytes, wherever this runs.
  rows <- rows[order(rows$external_id, rows$attempt, rows$completed_at, method = "radix"), , drop = FALSE]
  check_gaps(rows, items)
  nth <- stats::ave(seq_len(nrow(rows)), rows$external_id, FUN = seq_along)
  first <- rows[nth == 1, , drop = FALSE]
  second <- rows[nth == 2, , drop = FALSE]
  counts$ofPeopleCountedAlready <- sum(nth > 1)
  counts$people <- nrow(first)
  second <- drop(second, "repeatedTooSoonOrLate", is_retest(first$completed_at[match(second$external_id, first$external_id)], second$completed_at))
  pairs <- match(second$external_id, first$external_id)
  part <- function(rows) list(people = rows, keyed = keyed_answers(rows, items))
  values <- unique(items[order(items$value), c("value", "name")])
  c(
    list(product = codebook$product, version = version, items = items, counts = counts, languages = read_languages(codebook),
      values = data.frame(id = values$value, name = values$name, stringsAsFactors = FALSE)),
    part(first),
    list(repeats = list(first = part(first[pairs, , drop = FALSE]), second = part(second)))
  )
}

#' Refuses an export whose gaps are not those of its answers: then the codebook is that of something else.
check_gaps <- function(rows, items) {
  if (nrow(rows) == 0) return(invisible())
  keyed <- keyed_answers(rows, items)
  for (id in unique(items$value)) {
    told <- rows[[sprintf("v%02d_gap", id)]]
    if (is.null(told) || all(is.na(told))) next
    found <- value_scores(keyed, items, id, "ideal") - value_scores(keyed, items, id, "current")
    if (any(abs(found - told) > 0.011, na.rm = TRUE)) {
      refuse("The gaps of value ", id, " in the export are not those of its answers. Is the codebook that of this export?")
    }
  }
}
