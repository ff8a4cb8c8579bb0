# Confirmatory factor analysis: does each value explain its own statements?

#' Bounds of fit (Hu and Bentler 1999). They were found for maximum likelihood; of WLSMV they are on the lenient side.
#' A statement with a standardised loading below `least_loading` has less than a quarter of its variance from its value.
least_loading <- .50
fit_bounds <- list(cfi = .95, rmsea = .06, srmr = .08)

#' Inverse statements that a factor of method takes.
least_inverse <- 3

#' Model of a group in lavaan's syntax: a factor for each value, and one of method for inverse statements, which is
#' unrelated to the values and touches each inverse statement alike.
#'
#' @param items rows of read_items, of one life
#' @param prefix of the names of factors
measurement_model <- function(items, prefix = "") {
  factors <- vapply(split(items, items$value), function(of_value) {
    sprintf("%sv%d =~ %s", prefix, of_value$value[1], paste(of_value$column, collapse = " + "))
  }, "")
  inverse <- items$column[items$inverse]
  if (length(inverse) < least_inverse) return(unname(factors))
  method <- sprintf("%smethod =~ %s", prefix, paste0("1*", inverse, collapse = " + "))
  free <- sprintf("%smethod ~~ NA*%smethod", prefix, prefix)
  apart <- sprintf("%smethod ~~ 0*%sv%d", prefix, prefix, unique(items$value))
  unname(c(factors, method, free, apart))
}

#' CFA of a group in one life: WLSMV on polychoric correlations of keyed ratings.
#' @return list(group, life, cfi, rmsea, srmr, isGood, loadings: data frame column, value, statement, loading (standardised))
cfa_of <- function(study, group, life) {
  items <- items_of_group(study, group, life)
  data <- as.data.frame(study$keyed[, items$column])
  fit <- fitted_model(lavaan::cfa(paste(measurement_model(items), collapse = "\n"), data,
    ordered = items$column, estimator = "WLSMV", std.lv = TRUE))
  if (is.null(fit)) return(list(group = group, life = life, state = "failed"))
  measures <- lavaan::fitMeasures(fit, c("cfi.scaled", "rmsea.scaled", "srmr", "df"))
  loadings <- lavaan::standardizedSolution(fit, se = FALSE)
  loadings <- loadings[loadings$op == "=~" & loadings$lhs != "method", ]
  at <- match(loadings$rhs, items$column)
  list(
    group = group, life = life, state = "told", cfi = measures[["cfi.scaled"]], rmsea = measures[["rmsea.scaled"]],
    srmr = measures[["srmr"]],
    # A statement that says nothing of its value harms no fit.
    isGood = measures[["cfi.scaled"]] >= fit_bounds$cfi && measures[["rmsea.scaled"]] <= fit_bounds$rmsea &&
      measures[["srmr"]] <= fit_bounds$srmr && all(loadings$est.std > 0),
    power = rmsea_power(nrow(data), measures[["df"]]),
    loadings = data.frame(column = loadings$rhs, value = items$value[at], statement = items$statement[at],
      inverse = items$inverse[at], loading = loadings$est.std, stringsAsFactors = FALSE)
  )
}

items_of_group <- function(study, group, life) {
  items <- study$items[study$items$value %in% higher_order_groups[[group]] & study$items$life == life, ]
  items[order(items$value, items$statement), ]
}

#' A fit, or NULL where there is none: it did not converge or could not be begun. Lavaan's warnings are of such cases, and
#' of negative variances, which are told by the figures themselves.
fitted_model <- function(call) {
  fit <- tryCatch(suppressWarnings(call), error = function(condition) NULL)
  if (is.null(fit) || !lavaan::lavInspect(fit, "converged")) NULL else fit
}

#' Two values whose factors correlate so highly that an interval of 95 % reaches this are hardly two (Rönkkö and Cho 2022).
most_correlated <- .90

#' Correlations of the factors of all values, whatever group they are in: are they values of their own? By maximum likelihood,
#' since WLSMV of 76 statements would need more people than there are parameters in its weights; 7 steps bear it (Rhemtulla,
#' Brosseau-Liard and Savalei 2012).
#' @return list(life, state, pairs: data frame value, other, r, low, high (95 %), isFlagged)
factor_correlations <- function(study, life) {
  items <- study$items[study$items$life == life, ]
  items <- items[order(items$value, items$statement), ]
  fit <- fitted_model(lavaan::cfa(paste(measurement_model(items), collapse = "\n"), as.data.frame(study$keyed[, items$column]),
    estimator = "ML", std.lv = TRUE))
  if (is.null(fit)) return(list(life = life, state = "failed"))
  found <- lavaan::standardizedSolution(fit)
  found <- found[found$op == "~~" & found$lhs != found$rhs & found$lhs != "method" & found$rhs != "method", ]
  id <- function(names) as.numeric(sub("^v", "", names))
  list(life = life, state = "told", pairs = data.frame(value = id(found$lhs), other = id(found$rhs), r = found$est.std,
    low = found$ci.lower, high = found$ci.upper, isFlagged = found$ci.upper >= most_correlated))
}

cfa_figures <- function(study) {
  cases <- expand.grid(group = names(higher_order_groups), life = lives, stringsAsFactors = FALSE)
  # The longest first.
  parts <- c(
    lapply(lives, function(life) function() factor_correlations(study, life)),
    lapply(seq_len(nrow(cases)), function(i) function() cfa_of(study, cases$group[i], cases$life[i]))
  )
  found <- each_core(parts, function(part) part())
  both <- seq_along(lives)
  list(groups = found[-both], correlations = found[both])
}
