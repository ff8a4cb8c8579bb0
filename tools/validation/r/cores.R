# Work on several processors, with the same random numbers whatever their number.

#' lapply over processors, of which MC_CORES in the environment may say how many. Each element has random numbers of its own,
#' which depend on its place and the seed alone; those that are drawn afterwards know nothing of them.
each_core <- function(xs, f) {
  cores <- getOption("mc.cores", parallel::detectCores())
  cores <- if (.Platform$OS.type == "windows") 1L else max(1L, min(8L, cores, na.rm = TRUE))
  # One processor takes no other process, and would leave its random numbers here.
  before <- get(".Random.seed", globalenv())
  on.exit(assign(".Random.seed", before, envir = globalenv()))
  found <- parallel::mclapply(seq_along(xs), function(i) {
    set.seed(getOption("validation.seed", 1L) + i)
    f(xs[[i]])
  }, mc.cores = cores)
  failed <- Filter(function(each) inherits(each, "try-error"), found)
  if (length(failed) > 0) stop(attr(failed[[1]], "condition"))
  found
}
