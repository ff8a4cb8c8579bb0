# Whether statements measure alike: in the life wanted and in that of today, and in several languages.

#' A step to equal parameters that costs more than this is flagged (Chen 2007).
invariance_bounds <- list(cfi = .010, rmsea = .015)

steps <- c("configural", "metric", "scalar")

#' Fit of the models, one after another, and what each step costs.
#' @param fit_step function of a step to a lavaan fit, or NULL
#' @return list(state, steps: list of list(step, cfi, rmsea, srmr, dCfi, dRmsea, isFlagged))
compare_steps <- function(fit_step, steps) {
  rows <- list()
  for (step in steps) {
    fit <- fit_step(step)
    if (is.null(fit)) return(list(state = "failed", reason = paste("the", step, "model has no solution")))
    found <- as.list(lavaan::fitMeasures(fit, c("cfi.robust", "rmsea.robust", "srmr")))
    row <- list(step = step, cfi = found$cfi.robust, rmsea = found$rmsea.robust, srmr = found$srmr)
    if (length(rows) > 0) {
      before <- rows[[length(rows)]]
      row$dCfi <- row$cfi - before$cfi
      row$dRmsea <- row$rmsea - before$rmsea
      row$isFlagged <- -row$dCfi > invariance_bounds$cfi || row$dRmsea > invariance_bounds$rmsea
    }
    rows <- c(rows, list(row))
  }
  list(state = "told", steps = rows)
}

#' Both lives of the same people in one model; a statement's residuals in the two lives correlate.
#' @param step one of `steps`, or "agreement": the scalar model without a mean of method in the second life. Who agrees more
#'   readily there moves all statements of one key alike, which says nothing of a single one.
lives_model <- function(study, group, step) {
  parts <- lapply(lives, function(life) items_of_group(study, group, life))
  equal_intercepts <- step %in% c("scalar", "agreement")
  n <- nrow(parts[[1]])
  label <- function(kind) sprintf("%s%d", kind, seq_len(n))
  equal <- function(items, prefix) {
    of_value <- split(seq_len(n), items$value)
    loadings <- vapply(of_value, function(at) sprintf("%sv%d =~ %s", prefix, items$value[at[1]],
      paste(if (step == "configural") items$column[at] else paste0(label("l")[at], "*", items$column[at]), collapse = " + ")), "")
    method <- setdiff(measurement_model(items, prefix), measurement_model(items[!items$inverse, ], prefix))
    method <- method[grepl("method", method)]
    intercepts <- if (equal_intercepts) sprintf("%s ~ %s*1", items$column, label("i"))
    c(loadings, method, intercepts)
  }
  residuals <- sprintf("%s ~~ %s", parts[[1]]$column, parts[[2]]$column)
  ids <- unique(parts[[1]]$value)
  # Variances of the second life are free as soon as its loadings are those of the first; its means, with its intercepts.
  free <- c(
    sprintf("wmethod ~~ 0*tv%d", ids), sprintf("tmethod ~~ 0*wv%d", ids),
    if (step != "configural") sprintf("tv%d ~~ NA*tv%d", ids, ids),
    if (equal_intercepts) sprintf("tv%d ~ NA*1", ids),
    if (step == "scalar") "tmethod ~ NA*1"
  )
  if (!has_method(study, group)) free <- free[!grepl("method", free)]
  paste(c(equal(parts[[1]], "w"), equal(parts[[2]], "t"), residuals, free), collapse = "\n")
}

#' Whether a group has a factor of method.
has_method <- function(study, group) sum(items_of_group(study, group, "ideal")$inverse) >= least_inverse

#' Robust maximum likelihood: the bounds of Chen were found for it, and ratings of 7 steps bear it (Rhemtulla et al. 2012).
fit_robustly <- function(model, data, ...) {
  fitted_model(lavaan::cfa(model, data, estimator = "MLR", std.lv = TRUE, meanstructure = TRUE, se = "none", ...))
}

invariance_of_lives <- function(study) {
  data <- as.data.frame(study$keyed)
  list(groups = each_core(names(higher_order_groups), function(group) {
    of_group <- c(steps, if (has_method(study, group)) "agreement")
    c(list(group = group), compare_steps(function(step) fit_robustly(lives_model(study, group, step), data), of_group))
  }))
}

#' Groups of people by language, with statements of one life.
invariance_of_languages <- function(study, languages) {
  chosen <- study$people$shown_language %in% languages
  data <- as.data.frame(study$keyed[chosen, ])
  data$language <- study$people$shown_language[chosen]
  equal <- list(configural = "", metric = "loadings", scalar = c("loadings", "intercepts"))
  cases <- expand.grid(group = names(higher_order_groups), life = lives, stringsAsFactors = FALSE)
  list(languages = languages, groups = each_core(seq_len(nrow(cases)), function(i) {
    model <- paste(measurement_model(items_of_group(study, cases$group[i], cases$life[i])), collapse = "\n")
    fit_step <- function(step) fit_robustly(model, data, group = "language", group.equal = equal[[step]])
    c(list(group = cases$group[i], life = cases$life[i]), compare_steps(fit_step, steps))
  }))
}

#' Languages with enough people, and how many the second largest has: with one language alone there is nothing to compare.
languages_of <- function(study) {
  counts <- sort(table(study$people$shown_language), decreasing = TRUE)
  list(enough = sort(names(counts)[counts >= least_people$invariance]), second = if (length(counts) > 1) counts[[2]] else 0)
}
