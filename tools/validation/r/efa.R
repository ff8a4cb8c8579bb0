# Exploratory factor analysis: do the statements of a group of values fall into these values by themselves?

#' Minres and oblimin of a group's statements in one life, with as many factors as values (Harman and Jones 1966; Jennrich
#' and Sampson 1966). Pearson correlations: ratings of 7 steps bear it (Rhemtulla et al. 2012).
#'
#' @return list(group, life, statements: data frame column, own (loading on the factor of the value), other (the largest
#'   one, by its size, on another factor), isOwn), share of statements whose largest loading is that of their value
efa_of <- function(study, group, life) {
  ids <- higher_order_groups[[group]]
  at <- which(study$items$value %in% ids & study$items$life == life)
  items <- study$items[at, ]
  answers <- study$keyed[, at]
  model <- suppressMessages(suppressWarnings(
    psych::fa(answers, nfactors = length(ids), fm = "minres", rotate = "oblimin")
  ))
  loadings <- match_factors(unclass(model$loadings), items$value, ids)
  own <- loadings[cbind(seq_along(at), match(items$value, ids))]
  other <- vapply(seq_along(at), function(i) {
    rest <- loadings[i, -match(items$value[i], ids)]
    rest[which.max(abs(rest))]
  }, 0)
  statements <- data.frame(column = items$column, value = items$value, statement = items$statement,
    inverse = items$inverse, own = own, other = other, isOwn = own > abs(other), stringsAsFactors = FALSE)
  list(group = group, life = life, ownShare = mean(statements$isOwn), statements = statements)
}

#' Gives each value the factor that its statements load on most, the clearest value first, with that sign.
#' @return matrix statements x values
match_factors <- function(loadings, value_of, ids) {
  strength <- sapply(seq_len(ncol(loadings)), function(f) vapply(ids, function(id) mean(loadings[value_of == id, f]), 0))
  matched <- matrix(0, nrow(loadings), length(ids))
  left <- abs(strength)
  for (turn in seq_along(ids)) {
    best <- arrayInd(which.max(left), dim(left))
    matched[, best[1]] <- loadings[, best[2]] * sign(strength[best[1], best[2]])
    left[best[1], ] <- -1
    left[, best[2]] <- -1
  }
  matched
}

#' Eigenvalues of all statements of a life beside those of random answers (parallel analysis, Horn 1965).
#' @return list(life, eigenvalues, random (95th percentile of draws), factors)
parallel_analysis <- function(study, life, draws) {
  answers <- study$keyed[, study$items$life == life]
  eigenvalues_of <- function(data) eigen(stats::cor(data), symmetric = TRUE, only.values = TRUE)$values
  observed <- eigenvalues_of(answers)
  random <- replicate(draws, eigenvalues_of(matrix(stats::rnorm(length(answers)), nrow(answers))))
  bound <- apply(random, 1, stats::quantile, .95)
  list(life = life, eigenvalues = observed, random = bound, factors = sum(cumprod(observed > bound)))
}

efa_figures <- function(study, draws) {
  cases <- expand.grid(group = names(higher_order_groups), life = lives, stringsAsFactors = FALSE)
  list(
    parallel = lapply(lives, function(life) parallel_analysis(study, life, draws)),
    groups = each_core(seq_len(nrow(cases)), function(i) efa_of(study, cases$group[i], cases$life[i]))
  )
}
