# The same people again: how much of a score stays.

#' Days between two sittings of a retest, as norms of the service have it: sooner, people remember; later, they change.
retest_days <- c(7, 90)

#' Whether a second sitting came in time. @param first,second when each was completed, in RFC 3339
is_retest <- function(first, second) {
  days <- days_between(first, second)
  days >= retest_days[1] & days <= retest_days[2]
}

days_between <- function(first, second) as.numeric(difftime(as_time(second), as_time(first), units = "days"))

#' Retest of one score.
#'
#' icc: ICC(2,1), agreement of single sittings, both drawn at random (Shrout and Fleiss 1979).
#' sem: SD sqrt(1 - icc), with the SD of both sittings pooled. smallestChange: 1.96 sqrt(2) sem; a person's change below
#' it cannot be told from error (de Vet et al. 2006). drift: mean of second less first.
retest_of <- function(first, second) {
  pooled <- sqrt((stats::var(first) + stats::var(second)) / 2)
  if (pooled == 0) return(list(icc = NA_real_))
  found <- suppressWarnings(psych::ICC(cbind(first, second), lmer = FALSE))$results["Single_random_raters", ]
  sem <- pooled * sqrt(max(0, 1 - found$ICC))
  list(icc = found$ICC, interval = c(found$`lower bound`, found$`upper bound`), sem = sem,
    smallestChange = 1.96 * sqrt(2) * sem, drift = mean(second - first))
}

#' Retest of every value and total, and agreement of archetypes beyond chance (kappa, Cohen 1960).
#' @param repeats list(first, second), see read_study
retest_figures <- function(study) {
  first <- study$repeats$first
  second <- study$repeats$second
  scores <- function(sitting, value, measure) {
    of <- function(life) value_scores(sitting$keyed, study$items, value, life)
    if (measure == "gap") of("ideal") - of("current") else of(measure)
  }
  cases <- expand.grid(measure = measures, value = study$values$id, stringsAsFactors = FALSE)
  rows <- lapply(seq_len(nrow(cases)), function(i) {
    of <- function(sitting) scores(sitting, cases$value[i], cases$measure[i])
    c(list(value = cases$value[i], measure = cases$measure[i]), retest_of(of(first), of(second)))
  })
  totals <- lapply(c("total_gap", "total_conflict", "total_harmony"), function(total) {
    pair <- cbind(first$people[[total]], second$people[[total]])
    pair <- pair[stats::complete.cases(pair), , drop = FALSE]
    if (nrow(pair) < least_people$retest) return(list(total = total, icc = NA_real_))
    c(list(total = total), retest_of(pair[, 1], pair[, 2]))
  })
  days <- days_between(first$people$completed_at, second$people$completed_at)
  list(days = unname(stats::quantile(days, c(0, .5, 1))), values = rows, totals = totals,
    archetypes = kappa_of(first$people$archetype, second$people$archetype))
}

kappa_of <- function(first, second) {
  known <- !is.na(first) & !is.na(second)
  agreement <- mean(first[known] == second[known])
  ids <- sort(unique(c(first[known], second[known])))
  if (length(ids) < 2) return(list(agreement = agreement, kappa = NA_real_))
  found <- suppressWarnings(psych::cohen.kappa(cbind(first[known], second[known])))
  list(agreement = agreement, kappa = found$kappa, interval = unname(found$confid["unweighted kappa", c(1, 3)]))
}

as_time <- function(text) as.POSIXct(text, format = "%Y-%m-%dT%H:%M:%OS", tz = "UTC")
