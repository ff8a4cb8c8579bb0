# How many people a figure needs. Below that a section says "too_few" and holds no figure at all.

#' Least numbers of people.
#' factors: a polychoric correlation of 7 categories needs some 300 people to be stable (Rhemtulla, Brosseau-Liard and
#' Savalei 2012). invariance: in each group (Meade, Johnson and Braddy 2008). reliability, retest: the interval of a
#' reliability of .80 is then at most .12 wide (Feldt 1965). criteria: a correlation of .30 is told from 0.
least_people <- list(
  items = 100, reliability = 100, circle = 300, factors = 300, invariance = 200, retest = 100, criteria = 100
)

#' The figures of a section, or that there are too few people for them.
#'
#' @param n people there are; for comparisons of groups, those of the smallest group
#' @param needed people the section needs
#' @param compute called without arguments only if there are enough; gives a list of figures
#' @return list with state ("told", "too_few" or "failed"), n, needed, and the figures if they are told
gated <- function(n, needed, compute) {
  if (n < needed) return(list(state = "too_few", n = n, needed = needed))
  head <- list(state = "told", n = n, needed = needed)
  tryCatch(c(head, compute()), no_estimate = function(condition) {
    list(state = "failed", n = n, needed = needed, reason = conditionMessage(condition))
  })
}

#' Ends a section: the data give no estimate. @param reason for readers
no_estimate <- function(reason) {
  stop(structure(class = c("no_estimate", "error", "condition"), list(message = reason, call = NULL)))
}

#' A section that nobody asked for. @param how what to do to have it
not_asked <- function(how) list(state = "not_asked", reason = how)

#' Whether a section has figures.
is_told <- function(section) identical(section$state, "told")
