# Whether the values stand on a circle, in the order of the theory. Forward statements only: an inverse one that names the
# motive of an opposite value makes a circle by itself.

#' A correlation with the cosines up to here proves nothing: statements that touch the motives of neighbours give some by themselves.
least_cosine_correlation <- .50

#' Angle of each value in the theory, in degrees: equal steps round the circle, in ascending value id.
theory_angles <- function(n) 360 * (seq_len(n) - 1) / n

#' Ordinal two-dimensional MDS of correlations (Kruskal 1964), begun at a configuration.
#' @param distances dist, 1 - r
#' @return list(points = matrix n x 2, stress = Stress-1, 0..1)
ordinal_mds <- function(distances, start) {
  found <- MASS::isoMDS(distances, y = start, k = 2, maxit = 200, trace = FALSE, tol = 1e-5)
  list(points = found$points, stress = found$stress / 100)
}

#' Stress-1 of distances in random order: what ordinal MDS makes of no structure at all (Spence and Ogilvie 1973; Mair,
#' Borg and Rusch 2016). The better one of two starts, so that no bad start makes the real ones look good.
permuted_stress <- function(distances, start, permutations) {
  drawn <- lapply(seq_len(permutations), function(i) sample(length(distances)))
  unlist(each_core(drawn, function(order) {
    other <- distances
    other[] <- distances[order]
    min(ordinal_mds(other, start)$stress, ordinal_mds(other, stats::cmdscale(other, k = 2))$stress)
  }))
}

#' Spearman's correlation of two orders round a circle: the mean over all places where one can begin to count. 1 if and
#' only if the orders are the same; 0 is expected of a random one.
order_correlation <- function(angles) {
  n <- length(angles)
  from <- function(first) {
    shifted <- (seq_len(n) - first) %% n
    stats::cor(shifted, (angles - angles[first]) %% 360, method = "spearman")
  }
  mean(vapply(seq_len(n), from, 0))
}

#' The circle of one life.
#'
#' verdict: "circle" if Stress-1 is below 95 % of the permuted ones and the correlations follow the cosines of the theory
#' by more than least_cosine_correlation; else "no_circle".
#' @param scores matrix people x values
circle_figures <- function(scores, permutations) {
  n <- ncol(scores)
  if (any(apply(scores, 2, stats::sd) == 0)) no_estimate("a value has the same score in all people")
  correlations <- stats::cor(centred(scores))
  if (any(correlations[lower.tri(correlations)] > 1 - 1e-9)) no_estimate("two values have the same scores in all people")
  distances <- stats::as.dist(1 - correlations)
  angles <- theory_angles(n)
  theory <- cbind(cos(angles * pi / 180), sin(angles * pi / 180))
  found <- ordinal_mds(distances, theory)
  permuted <- permuted_stress(distances, theory, permutations)
  # Turned, mirrored and scaled on the theory; Gower 1975.
  turned <- vegan::procrustes(theory, found$points, symmetric = FALSE)
  points <- turned$Yrot
  at <- (atan2(points[, 2], points[, 1]) * 180 / pi) %% 360
  cosines <- cos(outer(angles, angles, "-") * pi / 180)
  with_cosines <- stats::cor(correlations[lower.tri(correlations)], cosines[lower.tri(cosines)])
  p_stress <- (1 + sum(permuted <= found$stress)) / (1 + permutations)
  is_circle <- p_stress < .05 && with_cosines > least_cosine_correlation
  list(
    verdict = if (is_circle) "circle" else "no_circle", stress = found$stress,
    permutedStress = unname(stats::quantile(permuted, c(.05, .5))), stressP = p_stress, permutations = permutations,
    cosineCorrelation = with_cosines, orderCorrelation = order_correlation(at),
    orderIsExact = all(((c(at[-1], at[1]) - at) %% 360) < 180) && sum((c(at[-1], at[1]) - at) %% 360) < 361,
    values = data.frame(name = colnames(scores), theory = angles, angle = at,
      away = (at - angles + 180) %% 360 - 180, x = points[, 1], y = points[, 2], stringsAsFactors = FALSE)
  )
}

#' The circles of both lives.
circles <- function(study, permutations) {
  stats::setNames(lapply(lives, function(life) circle_figures(all_scores(study, life, forward = TRUE), permutations)), lives)
}
