# Whether scores go with anything outside of the instrument.

#' Criteria of people.
#' @param file CSV with a column external_id and one for each criterion, numbers; an empty cell is unknown
#' @return data frame, a row a person of the study, in that order, a column a criterion
read_criteria <- function(file, study) {
  rows <- utils::read.csv(file, na.strings = "", colClasses = "character", encoding = "UTF-8", check.names = FALSE)
  if (!"external_id" %in% names(rows) || ncol(rows) < 2) {
    refuse("The criteria need a column external_id, and one or more of numbers.")
  }
  if (anyDuplicated(rows$external_id)) refuse("The criteria have more than one row of a person. Give one row a person.")
  names_of <- setdiff(names(rows), "external_id")
  numbers <- suppressWarnings(lapply(rows[names_of], as.numeric))
  for (name in names_of) {
    if (any(is.na(numbers[[name]]) & !is.na(rows[[name]]))) refuse("The criterion ", name, " has cells that are no numbers.")
  }
  as.data.frame(numbers, check.names = FALSE)[match(study$people$external_id, rows$external_id), , drop = FALSE]
}

#' Correlations of a criterion with scores: centred ones of both lives, gaps, totals.
#' @return list(criterion, state, n, needed, correlations: data frame measure, value, r, low, high (95 %, Fisher's z), p)
criterion_figures <- function(study, criterion, name) {
  known <- !is.na(criterion)
  gated(sum(known), least_people$criteria, function() {
    scores <- criterion_scores(study)
    rows <- lapply(scores, function(score) {
      both <- known & !is.na(score$points)
      # Fewer people have a total than a value; a number of few would be as good as none.
      if (sum(both) < least_people$criteria || stats::sd(score$points[both]) == 0 || stats::sd(criterion[both]) == 0) {
        return(data.frame(measure = score$measure, value = score$value, r = NA_real_, low = NA_real_, high = NA_real_, p = NA_real_))
      }
      test <- stats::cor.test(score$points[both], criterion[both])
      data.frame(measure = score$measure, value = score$value, r = unname(test$estimate), low = test$conf.int[1],
        high = test$conf.int[2], p = test$p.value)
    })
    list(criterion = name, power = criterion_power(sum(known)), correlations = do.call(rbind, rows))
  })
}

criterion_scores <- function(study) {
  ideal <- all_scores(study, "ideal")
  current <- all_scores(study, "current")
  by_measure <- list(ideal = centred(ideal), current = centred(current), gap = ideal - current)
  values <- unlist(lapply(measures, function(measure) lapply(seq_len(nrow(study$values)), function(i) {
    list(measure = measure, value = study$values$id[i], points = by_measure[[measure]][, i])
  })), recursive = FALSE)
  totals <- lapply(c("total_gap", "total_conflict", "total_harmony"), function(total) {
    list(measure = total, value = NA_real_, points = study$people[[total]])
  })
  c(values, totals)
}

#' All criteria, with p corrected for all correlations that are told (Holm 1979).
#' @return list of what criterion_figures gives, correlations with pHolm in the place of p
criteria_figures <- function(study, criteria) {
  found <- lapply(names(criteria), function(name) {
    figures <- criterion_figures(study, criteria[[name]], name)
    c(list(criterion = name), figures[setdiff(names(figures), "criterion")])
  })
  # Without a correlation p is not known, and does not count.
  corrected <- stats::p.adjust(unlist(lapply(found, function(figures) figures$correlations$p)), "holm")
  for (i in seq_along(found)) {
    rows <- found[[i]]$correlations
    if (is.null(rows)) next
    rows$pHolm <- corrected[seq_len(nrow(rows))]
    corrected <- corrected[-seq_len(nrow(rows))]
    found[[i]]$correlations <- rows[names(rows) != "p"]
  }
  found
}
