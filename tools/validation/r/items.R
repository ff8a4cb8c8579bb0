# Each statement: how it is answered, and whether it goes with its own value more than with any other.

#' Figures of a statement below or above these are flagged: corrected item-total correlation (Nunnally and Bernstein
#' 1994), own less highest foreign correlation, share at one end of the scale.
item_bounds <- list(item_rest = .30, own_minus_foreign = .10, at_one_end = .50)

#' Statistics of every statement.
#'
#' mean, sd: of the keyed answer, in points of the scale. lowest, highest: shares at its ends, 0..1.
#' itemRest: correlation with the mean of the other statements of the value in that life; high if they measure one thing.
#' own, foreign: of answers centred by person and key, the correlation with the rest of the own value, and the highest one with
#' another value.
#' @return list(statements = data frame, flagged = count)
item_figures <- function(study) {
  items <- study$items
  rows <- lapply(lives, function(life) {
    at <- which(items$life == life)
    keyed <- study$keyed[, at, drop = FALSE]
    centred_answers <- centred_by_key(keyed, items$inverse[at])
    do.call(rbind, lapply(seq_along(at), function(i) {
      item_row(items[at[i], ], keyed, centred_answers, items[at, ], i)
    }))
  })
  statements <- do.call(rbind, rows)
  # I() keeps a single flag a list in JSON.
  statements$flags <- lapply(seq_len(nrow(statements)), function(i) I(item_flags(statements[i, ])))
  list(flagged = sum(lengths(statements$flags) > 0), power = item_power(nrow(study$keyed)), statements = statements)
}

item_row <- function(item, keyed, centred_answers, of_life, i) {
  rest_of <- function(answers, value) {
    others <- setdiff(which(of_life$value == value), i)
    rowMeans(answers[, others, drop = FALSE])
  }
  answer <- keyed[, i]
  foreign_ids <- setdiff(unique(of_life$value), item$value)
  foreign <- vapply(foreign_ids, function(id) correlation(centred_answers[, i], rest_of(centred_answers, id)), 0)
  own <- correlation(centred_answers[, i], rest_of(centred_answers, item$value))
  data.frame(
    column = item$column, value = item$value, statement = item$statement, life = item$life, inverse = item$inverse,
    label = item$label, mean = mean(answer), sd = stats::sd(answer), lowest = mean(answer == item$low),
    highest = mean(answer == item$high), itemRest = correlation(answer, rest_of(keyed, item$value)), own = own,
    foreign = max(foreign), foreignValue = foreign_ids[which.max(foreign)], stringsAsFactors = FALSE
  )
}

item_flags <- function(row) {
  bounds <- item_bounds
  found <- c(
    itemRest = row$itemRest < bounds$item_rest,
    foreign = row$own - row$foreign < bounds$own_minus_foreign,
    end = max(row$lowest, row$highest) > bounds$at_one_end
  )
  names(found)[is.na(found) | found]
}

#' Pearson's correlation; NA where one does not vary.
correlation <- function(x, y) if (stats::sd(x) == 0 || stats::sd(y) == 0) NA_real_ else stats::cor(x, y)
