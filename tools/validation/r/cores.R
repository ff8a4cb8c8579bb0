# Work on several processors, with the same random numbers whatever their number.

#' lapply over processors. Each element has random numbers of its own, which depend on its place and `state$seed` alone.
each_core <- function(xs, f) {
  cores <- if (.Platform$OS.type == "windows") 1L else max(1L, min(8L, parallel::detectCores(), na.rm = TRUE))
  found <- parallel::mclapply(seq_along(xs), function(i) {
    set.seed(getOption("validation.seed", 1L) + i)
    f(xs[[i]])
  }, mc.cores = cores)
  failed <- Filter(function(each) inherits(each, "try-error"), found)
  if (length(failed) > 0) stop(attr(failed[[1]], "condition"))
  found
}
