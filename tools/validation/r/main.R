# From an export to validation.json and validation.html:
# Rscript main.R EXPORT.csv CODEBOOK.json [--criteria=FILE] [--retest] [--made-up] [--out=FOLDER] [--draws=2000]
#   [--permutations=500] [--only=SECTION,SECTION] [--seed=1]
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))
parts <- c("gates", "power", "cores", "scores", "groups", "read", "items", "reliability", "circle", "efa", "cfa", "invariance",
  "retest", "criteria", "pictures", "page", "json")
for (part in parts) source(file.path(here, paste0(part, ".R")))

#' All sections of the study.
#' @param options list: draws (bootstrap), permutations, retest (logical), criteria (file or NULL), only (names of
#'   sections, or NULL for all), seed
validate <- function(study, options) {
  n <- nrow(study$keyed)
  least <- least_people
  languages <- languages_of(study)
  sections <- list(
    items = function() gated(n, least$items, function() item_figures(study)),
    reliability = function() gated(n, least$reliability, function() reliability_figures(study, options$draws)),
    circle = function() gated(n, least$circle, function() circles(study, options$permutations)),
    efa = function() gated(n, least$factors, function() efa_figures(study, 20)),
    cfa = function() gated(n, least$factors, function() cfa_figures(study)),
    invarianceOfLives = function() gated(n, least$invariance, function() invariance_of_lives(study)),
    invarianceOfLanguages = function() {
      gated(languages$second, least$invariance, function() invariance_of_languages(study, languages$enough))
    },
    retest = function() {
      if (!options$retest) return(not_asked("Give --retest."))
      gated(nrow(study$repeats$second$keyed), least$retest, function() retest_figures(study))
    },
    criteria = function() {
      if (is.null(options$criteria)) return(not_asked("Give --criteria FILE."))
      list(state = "told", criteria = criteria_figures(study, read_criteria(options$criteria, study)))
    }
  )
  chosen <- if (is.null(options$only)) sections else sections[options$only]
  lapply(chosen, function(section) section())
}

#' Options of the command line. @param given what stands behind the program's name
read_options <- function(given) {
  valued <- c("criteria", "out", "draws", "permutations", "only", "seed")
  # "--out FOLDER" is as good as "--out=FOLDER".
  apart <- which(given %in% paste0("--", valued))
  if (any(apart == length(given))) refuse(given[length(given)], " takes a value.")
  given[apart] <- paste0(given[apart], "=", given[apart + 1])
  if (length(apart) > 0) given <- given[-(apart + 1)]
  unknown <- setdiff(sub("=.*", "", grep("^--", given, value = TRUE)), paste0("--", c(valued, "retest", "made-up")))
  if (length(unknown) > 0) refuse("There is no option ", unknown[1], ".")
  value <- function(name, standard) {
    found <- grep(sprintf("^--%s=", name), given, value = TRUE)
    if (length(found) == 0) standard else sub("^[^=]*=", "", found[1])
  }
  number <- function(name, standard) {
    found <- suppressWarnings(as.integer(value(name, standard)))
    if (is.na(found) || found < 1) refuse("--", name, " takes a whole number from 1.")
    found
  }
  files <- given[!startsWith(given, "--")]
  if (length(files) != 2) refuse("Give two files: EXPORT.csv CODEBOOK.json.")
  for (file in c(files, value("criteria", NULL))) if (!file.exists(file)) refuse("There is no file ", file, ".")
  only <- value("only", NULL)
  list(
    export = files[1], codebook = files[2], criteria = value("criteria", NULL), retest = "--retest" %in% given,
    madeUp = "--made-up" %in% given, out = value("out", "validation"), draws = number("draws", 2000),
    permutations = number("permutations", 500), seed = number("seed", 1),
    only = if (!is.null(only)) strsplit(only, ",", fixed = TRUE)[[1]]
  )
}

#' What the figures were made with: other versions may give others in the last decimals.
software <- function() {
  packages <- c("boot", "GPArotation", "jsonlite", "lavaan", "MASS", "psych", "vegan")
  versions <- lapply(packages, function(name) as.character(utils::packageVersion(name)))
  c(list(R = as.character(getRversion())), stats::setNames(versions, packages))
}

main <- function(given) {
  options <- read_options(given)
  options("validation.seed" = options$seed)
  set.seed(options$seed)
  study <- read_study(options$export, options$codebook)
  sections <- validate(study, options)
  head <- list(
    form = 1, madeUp = options$madeUp, product = study$product, version = study$version, seed = options$seed,
    software = software(), counts = study$counts, languages = study$languages, least = least_people, values = study$values
  )
  dir.create(options$out, showWarnings = FALSE, recursive = TRUE)
  write_json(c(head, sections), file.path(options$out, "validation.json"))
  writeLines(page(study, sections, options), file.path(options$out, "validation.html"), useBytes = TRUE)
  writeLines(file.path(options$out, c("validation.json", "validation.html")))
}

tryCatch(main(commandArgs(TRUE)), refusal = function(condition) {
  message(conditionMessage(condition))
  quit(status = 2)
})
