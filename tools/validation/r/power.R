# What a study of so many people notices: the share of such studies in which a bound says so, by formulas.

#' What research asks of a scale; decisions about one person ask for .90.
least_reliability <- .70

#' Share of studies in which a correlation comes out below a bound (Fisher 1921). @param true what it is among all people
below_power <- function(n, true, bound) stats::pnorm((atanh(bound) - atanh(true)) * sqrt(n - 3))

#' A statement that speaks hardly of its value, and a usual one: how often the bound of item-rest flags them.
item_power <- function(n) {
  list(itemRest = item_bounds$item_rest, weak = .15, weakFlagged = below_power(n, .15, item_bounds$item_rest), usual = .45,
    usualFlagged = below_power(n, .45, item_bounds$item_rest))
}

#' Share of studies in which the lower end of the interval of an alpha is .70 or more (Feldt 1965).
#' @param k statements
alpha_power <- function(n, k, true = .80) {
  df <- (n - 1) * (k - 1)
  # The lower end is 1 - (1 - estimate) F, and (1 - true) / (1 - estimate) has an F distribution.
  least <- (1 - true) / (1 - least_reliability) * stats::qf(.975, n - 1, df)
  list(true = true, told = stats::pf(least, n - 1, df, lower.tail = FALSE))
}

#' The same of an intraclass correlation of two sittings (Fisher 1925).
icc_power <- function(n, true = .80) {
  list(true = true, told = stats::pnorm((atanh(true) - atanh(least_reliability)) * sqrt(n - 1.5) - stats::qnorm(.975)))
}

#' A model that fits ill and one that fits well: how often the bound of RMSEA tells so (MacCallum, Browne and Sugawara 1996).
rmsea_power <- function(n, df) {
  passes <- function(true) stats::pchisq(df + (n - 1) * df * fit_bounds$rmsea^2, df, (n - 1) * df * true^2)
  list(ill = .09, illMissed = 1 - passes(.09), well = .03, wellPassed = passes(.03))
}

#' How often a correlation of that size with a criterion is told from 0, if it is the only one that is looked at.
criterion_power <- function(n, true = .30) {
  bound <- tanh(stats::qnorm(.975) / sqrt(n - 3))
  list(true = true, told = 1 - below_power(n, true, bound))
}
