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

#' Values that a report could name first.
first_places <- 5

#' How much of the order of the values stays, person by person.
#' @param first,second scores of a life, matrix people x values
#' @return correlation: quartiles of Spearman's r of a person's two orders; firstPlaces: how many of the first five values of a
#'   person are among the first five again, on average (ties count in part), and by chance
order_retest <- function(first, second) {
  people <- seq_len(nrow(first))
  # Who rates all values alike has no order.
  r <- suppressWarnings(vapply(people, function(i) stats::cor(first[i, ], second[i, ], method = "spearman"), 0))
  is_first <- function(scores) t(apply(scores, 1, function(row) rank(-row, ties.method = "min") <= first_places))
  again <- rowSums(is_first(first) & is_first(second)) / rowSums(is_first(first))
  list(correlation = unname(stats::quantile(r, c(.25, .5, .75), na.rm = TRUE)), firstPlaces = first_places * mean(again),
    firstPlacesByChance = first_places^2 / ncol(first))
}

#' Retest of every value and total, of the order of values, and agreement of archetypes beyond chance (kappa, Cohen 1960).
#' Centred scores are what norms and places in the order rest on: the readiness to agree, which comes again, is not in them.
#' @param repeats list(first, second), see read_study
retest_figures <- function(study) {
  first <- study$repeats$first
  second <- study$repeats$second
  scores_of <- function(sitting) {
    of <- lapply(stats::setNames(nm = lives), function(life) all_scores(study, life, keyed = sitting$keyed))
    c(of, list(gap = of$ideal - of$current, idealCentred = centred(of$ideal), currentCentred = centred(of$current)))
  }
  sittings <- lapply(list(first, second), scores_of)
  cases <- expand.grid(measure = names(sittings[[1]]), value = seq_along(study$values$id), stringsAsFactors = FALSE)
  rows <- lapply(seq_len(nrow(cases)), function(i) {
    pair <- lapply(sittings, function(of) of[[cases$measure[i]]][, cases$value[i]])
    c(list(value = study$values$id[cases$value[i]], measure = cases$measure[i]), retest_of(pair[[1]], pair[[2]]))
  })
  order <- lapply(lives, function(life) c(list(life = life), order_retest(sittings[[1]][[life]], sittings[[2]][[life]])))
  totals <- lapply(c("total_gap", "total_conflict", "total_harmony"), function(total) {
    pair <- cbind(first$people[[total]], second$people[[total]])
    pair <- pair[stats::complete.cases(pair), , drop = FALSE]
    if (nrow(pair) < least_people$retest) return(list(total = total, icc = NA_real_))
    c(list(total = total), retest_of(pair[, 1], pair[, 2]))
  })
  days <- days_between(first$people$completed_at, second$people$completed_at)
  list(days = unname(stats::quantile(days, c(0, .5, 1))), power = icc_power(nrow(first$keyed)), values = rows, totals = totals, order = order,
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
