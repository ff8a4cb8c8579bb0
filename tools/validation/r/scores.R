# Scores of values from keyed answers.

#' Which items: of a value, in a life, all or only forward ones. @return positions in `items`
items_of <- function(items, value, life, forward = FALSE) {
  which(items$value == value & items$life == life & !(forward & items$inverse))
}

#' Score of a value in a life, 0..100: the weighted mean of its keyed answers, in percent of the span of the scale.
#' @return a number a person
value_scores <- function(keyed, items, value, life, forward = FALSE) {
  at <- items_of(items, value, life, forward)
  weight <- items$weight[at] / sum(items$weight[at])
  points <- drop(keyed[, at, drop = FALSE] %*% weight)
  100 * (points - items$low[at][1]) / (items$high[at][1] - items$low[at][1])
}

#' Scores of all values in a life. @return matrix people x values
all_scores <- function(study, life, forward = FALSE, keyed = study$keyed) {
  scores <- lapply(study$values$id, function(id) value_scores(keyed, study$items, id, life, forward))
  matrix(unlist(scores), nrow = nrow(keyed), dimnames = list(NULL, study$values$name))
}

#' Scores less the mean of the person's scores in that life: what a person wants more than the rest, whoever agrees with
#' everything (Schwartz 1992 centres so).
centred <- function(scores) scores - rowMeans(scores)

#' Keyed answers less the mean of the person's answers with the same key: what is left has neither readiness to agree, which
#' moves the two keys apart, nor the level of all values, which moves them together.
#' @param keyed matrix people x items of one life @param inverse logical, an element a column
centred_by_key <- function(keyed, inverse) {
  for (key in unique(inverse)) {
    of_key <- keyed[, inverse == key, drop = FALSE]
    keyed[, inverse == key] <- of_key - rowMeans(of_key)
  }
  keyed
}

#' Answers by which a measure is made: those of a life, or differences of the same statement for a gap.
#' @param measure "ideal", "current" or "gap"
#' @return matrix people x statements, columns "1", "2" ... by statement number
measure_answers <- function(study, value, measure, forward = FALSE) {
  of <- function(life) {
    at <- items_of(study$items, value, life, forward)
    at <- at[order(study$items$statement[at])]
    answers <- study$keyed[, at, drop = FALSE]
    colnames(answers) <- study$items$statement[at]
    answers
  }
  if (measure == "gap") of("ideal") - of("current") else of(measure)
}

lives <- c("ideal", "current")
measures <- c("ideal", "current", "gap")
