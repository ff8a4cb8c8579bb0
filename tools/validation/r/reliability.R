# Reliability of each value in both lives, and of its gap.

#' Cronbach's alpha of a covariance matrix: k / (k - 1) (1 - tr C / sum C). Cronbach 1951.
alpha_of <- function(covariance) {
  k <- ncol(covariance)
  k / (k - 1) * (1 - sum(diag(covariance)) / sum(covariance))
}

#' Omega of one factor by maximum likelihood, of the unweighted sum: (sum l)^2 / ((sum l)^2 + sum psi). McDonald 1999.
#' NA where the model does not fit properly: a statement that does not vary, a loading of 0 or below, a unique variance at
#' its border. The service withholds omega in the same cases.
omega_of <- function(covariance) {
  sds <- sqrt(diag(covariance))
  if (any(!is.finite(sds)) || any(sds == 0)) return(NA_real_)
  # n.obs changes the test of fit only. With a smaller factr three statements, which fit exactly, seem not to converge.
  model <- tryCatch(
    stats::factanal(covmat = covariance, factors = 1, n.obs = 1000, control = list(opt = list(factr = 1e6))),
    error = function(condition) NULL
  )
  if (is.null(model)) return(NA_real_)
  loadings <- model$loadings[, 1] * sign(sum(model$loadings[, 1]))
  if (any(loadings <= 0) || any(model$uniquenesses <= .00501)) return(NA_real_)
  common <- sum(loadings * sds)^2
  common / (common + sum(model$uniquenesses * sds^2))
}

#' Alpha and omega with percentile intervals of people drawn again (Efron and Tibshirani 1993).
#'
#' @param answers matrix people x statements
#' @param draws of the bootstrap
#' @return list(alpha, alphaInterval, omega, omegaInterval); intervals hold 95 %, omega ones only if 9 of 10 draws had one
reliability_of <- function(answers, draws) {
  both <- function(covariance) c(alpha_of(covariance), omega_of(covariance))
  found <- boot::boot(answers, function(data, drawn) both(stats::cov(data[drawn, , drop = FALSE])), R = draws)
  interval <- function(column) {
    values <- found$t[, column]
    if (mean(is.finite(values)) < .9) return(c(NA_real_, NA_real_))
    unname(stats::quantile(values, c(.025, .975), na.rm = TRUE))
  }
  list(alpha = found$t0[1], alphaInterval = interval(1), omega = found$t0[2], omegaInterval = interval(2))
}

#' Reliability of every value, measure and choice of statements.
#' @return list(draws, measures: list of list(value, measure, statements ("all", "forward"), k, alpha, ...))
reliability_figures <- function(study, draws) {
  cases <- expand.grid(statements = c("all", "forward"), measure = measures, value = study$values$id, stringsAsFactors = FALSE)
  rows <- each_core(seq_len(nrow(cases)), function(i) {
    case <- cases[i, ]
    answers <- measure_answers(study, case$value, case$measure, forward = case$statements == "forward")
    head <- list(value = case$value, measure = case$measure, statements = case$statements, k = ncol(answers))
    if (any(apply(answers, 2, stats::sd) == 0)) return(c(head, list(alpha = NA_real_, omega = NA_real_)))
    c(head, reliability_of(answers, draws))
  })
  list(draws = draws, power = alpha_power(nrow(study$keyed), max(table(study$items$value, study$items$life))), measures = rows)
}
