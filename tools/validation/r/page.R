# The page: one HTML file that asks nobody for anything.

life_names <- c(ideal = "the life wanted", current = "the life of today")
# In tables.
life_words <- c(ideal = "wanted", current = "today")
measure_names <- c(ideal = "Life wanted", current = "Life today", gap = "Gap",
  idealCentred = "Life wanted, centred", currentCentred = "Life today, centred",
  total_gap = "Total gap", total_conflict = "Total conflict", total_harmony = "Total harmony")

escaped <- function(text) {
  for (pair in list(c("&", "&amp;"), c("<", "&lt;"), c(">", "&gt;"), c('"', "&quot;"))) text <- gsub(pair[1], pair[2], text, fixed = TRUE)
  text
}

#' Numbers with so many decimals, or a dash.
two <- function(x) decimals(x, 2)
three <- function(x) decimals(x, 3)
one_decimal <- function(x) decimals(x, 1)
percent <- function(x) paste0(round(100 * x), " %")
# Adding 0 makes 0 of what is rounded to -0.
decimals <- function(x, digits) ifelse(is.na(x), "\u2013", formatC(round(x, digits) + 0, format = "f", digits = digits))

paragraph <- function(...) sprintf("<p>%s</p>", escaped(paste0(...)))

#' A table. @param rows data frame of texts and numbers that are written as they are @param marked rows in bold
html_table <- function(rows, marked = rep(FALSE, nrow(rows))) {
  cell <- function(x) sprintf("<td%s>%s</td>", ifelse(grepl("^[-\u2013.0-9 %/]+$", x), ' class="number"', ""), escaped(as.character(x)))
  head <- paste0('<th scope="col">', escaped(names(rows)), "</th>", collapse = "")
  body <- vapply(seq_len(nrow(rows)), function(i) {
    cells <- paste0(vapply(rows[i, ], function(x) cell(x), ""), collapse = "")
    sprintf("<tr%s>%s</tr>", if (isTRUE(marked[i])) ' class="flagged"' else "", cells)
  }, "")
  paste0('<div class="wide"><table><thead><tr>', head, "</tr></thead><tbody>", paste(body, collapse = "\n"), "</tbody></table></div>")
}

#' What a study of so many people notices. @param shares texts and shares, alternating
in_studies <- function(...) {
  parts <- list(...)
  is_share <- vapply(parts, is.numeric, TRUE)
  parts[is_share] <- percent(unlist(parts[is_share]))
  paragraph("Of studies with so many people, ", paste0(unlist(parts), collapse = ""), ".")
}

#' What stands in the place of a section without figures.
without_figures <- function(section) {
  switch(section$state,
    too_few = paragraph("Too few: ", section$n, " of ", section$needed, " people. No figure is told."),
    not_asked = paragraph("Not asked for. ", section$reason),
    failed = paragraph("No estimate: ", section$reason, ".")
  )
}

#' Sections of the page: title, and what it shows of its figures.
page_sections <- function(study) {
  name_of <- function(ids) study$values$name[match(ids, study$values$id)]
  list(
    items = list("Statements", function(s) items_part(s, name_of)),
    reliability = list("Reliability", function(s) reliability_part(s, study)),
    circle = list("Circle", circle_part),
    efa = list("Factors that the answers show", function(s) efa_part(s, name_of)),
    cfa = list("Factors that the theory expects", function(s) cfa_part(s, name_of)),
    invarianceOfLives = list("The same in both lives", invariance_part),
    invarianceOfLanguages = list("The same in all languages", invariance_part),
    retest = list("The same people again", function(s) retest_part(s, study)),
    criteria = list("Criteria", function(s) criteria_part(s, name_of))
  )
}

items_part <- function(section, name_of) {
  rows <- section$statements
  # By statement, both lives beside each other.
  rows <- rows[order(rows$value, rows$statement), ]
  bad <- lengths(rows$flags) > 0
  shown <- data.frame(
    No. = paste0(rows$value, ".", rows$statement, ifelse(rows$inverse, " inv.", "")), Life = life_words[rows$life], Statement = rows$label, Mean = two(rows$mean), SD = two(rows$sd),
    Lowest = percent(rows$lowest), Highest = percent(rows$highest), `Item-rest` = two(rows$itemRest), Own = two(rows$own),
    Foreign = two(rows$foreign), `Nearest value` = name_of(rows$foreignValue), Flags = vapply(rows$flags, paste, "", collapse = ", "),
    check.names = FALSE
  )
  c(
    paragraph(sum(bad), " of ", nrow(rows), " statements are flagged: item-rest correlation below ", two(item_bounds$item_rest),
      ", own less highest foreign correlation below ", two(item_bounds$own_minus_foreign), ", or more than ",
      percent(item_bounds$at_one_end), " at one end of the scale."),
    in_studies(section$power$weakFlagged, " flag a statement whose item-rest correlation is .15 among all people, and ",
      section$power$usualFlagged, " one of .45"),
    html_table(shown, bad)
  )
}

reliability_part <- function(section, study) {
  of <- function(measure, statements) {
    rows <- Filter(function(row) row$measure == measure && row$statements == statements, section$measures)
    part <- function(member) vapply(rows, function(row) if (is.null(row[[member]])) NA_real_ else row[[member]][1], 0)
    interval <- function(i) vapply(rows, function(row) if (is.null(row$omegaInterval)) NA_real_ else row$omegaInterval[i], 0)
    list(alpha = part("alpha"), omega = part("omega"), low = interval(1), high = interval(2))
  }
  pictures <- vapply(measures, function(measure) {
    series <- lapply(list(`all statements` = of(measure, "all"), `forward only` = of(measure, "forward")),
      function(x) data.frame(value = x$omega, low = x$low, high = x$high))
    paste0("<h3>", measure_names[[measure]], "</h3>", intervals_picture(paste("Omega,", measure_names[[measure]]),
      study$values$name, series, "Omega, with 95 % interval"))
  }, "")
  shown <- data.frame(Value = study$values$name)
  for (measure in measures) {
    for (statements in c("all", "forward")) {
      shown[[paste(measure_names[[measure]], if (statements == "all") "" else "forward")]] <-
        paste(two(of(measure, statements)$alpha), "/", two(of(measure, statements)$omega))
    }
  }
  c(
    paragraph("Omega of the sum of statements, with all statements and with forward ones only. Intervals come of ", section$draws,
      " draws of people. .70 is what research asks of a scale (dashed); decisions about one person ask for .90."),
    in_studies(section$power$told, " have the lower end above .70 if alpha is .80 among all people"),
    pictures, paragraph("Alpha and omega, each pair in this order:"), html_table(shown)
  )
}

circle_part <- function(section) {
  unlist(lapply(lives, function(life) {
    circle <- section[[life]]
    verdict <- if (circle$verdict == "circle") "The values stand on a circle." else "No circle: the answers do not show one."
    c(
      paste0("<h3>", sub("^t", "T", life_names[[life]]), "</h3>"),
      paragraph(verdict, " Stress-1 is ", three(circle$stress), "; in ", circle$permutations, " random orders it is ",
        three(circle$permutedStress[2]), " in the middle (p = ", three(circle$stressP), "). Correlation with the cosines of the theory: ",
        two(circle$cosineCorrelation), ". Order round the circle: ", two(circle$orderCorrelation),
        if (circle$orderIsExact) ", exact." else ".", " Largest distance from the angle of the theory: ",
        round(max(abs(circle$values$away))), " degrees."),
      circle_picture(circle, life)
    )
  }))
}

efa_part <- function(section, name_of) {
  crossing <- do.call(rbind, lapply(section$groups, function(g) {
    rows <- g$statements[!g$statements$isOwn, ]
    if (nrow(rows) == 0) return(NULL)
    data.frame(No. = paste0(rows$value, ".", rows$statement, ifelse(rows$inverse, " inv.", "")), Value = name_of(rows$value), Life = life_words[g$life], Own = two(rows$own), Other = two(rows$other))
  }))
  overview <- data.frame(
    Group = group_names[vapply(section$groups, `[[`, "", "group")], Life = life_words[vapply(section$groups, `[[`, "", "life")],
    `Own loading is the largest` = percent(vapply(section$groups, `[[`, 0, "ownShare")), check.names = FALSE
  )
  c(
    vapply(section$parallel, function(p) paste0(paragraph("More than random answers have: ", p$factors, " factors in ", life_names[[p$life]], "."), scree_picture(p)), ""),
    html_table(overview),
    if (is.null(crossing)) paragraph("Every statement loads most on its own value.") else
      c(paragraph("Statements that load more on another value:"), html_table(crossing))
  )
}

cfa_part <- function(section, name_of) {
  told <- Filter(function(g) g$state == "told", section$groups)
  failed <- Filter(function(g) g$state != "told", section$groups)
  number <- function(member) vapply(told, `[[`, 0, member)
  power <- function(member) vapply(told, function(g) g$power[[member]], 0)
  shown <- data.frame(Group = group_names[vapply(told, `[[`, "", "group")], Life = life_words[vapply(told, `[[`, "", "life")],
    CFI = three(number("cfi")), RMSEA = three(number("rmsea")), SRMR = three(number("srmr")),
    `Least loading` = two(vapply(told, function(g) min(g$loadings$loading), 0)), check.names = FALSE)
  c(
    paragraph("One factor for each value, and one of method for inverse statements (WLSMV). Good fit is CFI of ", two(fit_bounds$cfi),
      " or more, RMSEA of ", two(fit_bounds$rmsea), " or less, SRMR of ", two(fit_bounds$srmr), " or less, and every loading above 0; rows that miss it are marked. Fit says little of a statement that hardly loads: look at the least loading too, of which ",
      two(least_loading), " is wanted."),
    if (length(told) > 0) in_studies(min(power("illMissed")), " or more find that a model with an RMSEA of .09 among all people does not fit, and ",
      min(power("wellPassed")), " or more that one of .03 does"),
    if (length(told) > 0) html_table(shown, !vapply(told, `[[`, TRUE, "isGood")),
    if (length(failed) > 0) paragraph("No solution: ", paste(vapply(failed, function(g) paste0(group_names[[g$group]], ", ", life_words[[g$life]]), ""), collapse = ", "), "."),
    paragraph("Correlations of the factors of all values, in one model of each life (maximum likelihood). Two values are hardly two where the interval of 95 % reaches ",
      two(most_correlated), "; these are marked. The five highest of each life:"),
    unlist(lapply(section$correlations, function(c) correlations_part(c, name_of)))
  )
}

correlations_part <- function(found, name_of) {
  if (found$state != "told") return(paragraph("No solution in ", life_names[[found$life]], "."))
  rows <- found$pairs[order(-found$pairs$r), ]
  rows <- rows[seq_len(nrow(rows)) <= 5 | rows$isFlagged, ]
  shown <- data.frame(Life = unname(life_words[found$life]), Value = name_of(rows$value), Other = name_of(rows$other), r = two(rows$r),
    `95 % interval` = paste(two(rows$low), "to", two(rows$high)), check.names = FALSE)
  html_table(shown, rows$isFlagged)
}

invariance_part <- function(section) {
  rows <- do.call(rbind, lapply(section$groups, function(g) {
    of <- group_names[[g$group]]
    life <- if (is.null(g$life)) "both" else life_words[[g$life]]
    if (g$state != "told") return(data.frame(Group = of, Life = life, Step = g$reason, CFI = "", RMSEA = "", dCFI = "", dRMSEA = "", flag = TRUE))
    do.call(rbind, lapply(g$steps, function(s) data.frame(Group = of, Life = life, Step = s$step, CFI = three(s$cfi), RMSEA = three(s$rmsea),
      dCFI = if (is.null(s$dCfi)) "" else three(s$dCfi), dRMSEA = if (is.null(s$dRmsea)) "" else three(s$dRmsea), flag = isTRUE(s$isFlagged))))
  }))
  c(
    if (!is.null(section$languages)) paragraph("Languages: ", paste(section$languages, collapse = ", "), "."),
    paragraph("Each step makes more parameters equal: loadings (metric), then intercepts (scalar). A step is flagged if CFI falls by more than ",
      three(invariance_bounds$cfi), " or RMSEA rises by more than ", three(invariance_bounds$rmsea), " (Chen 2007). Where metric holds, relations may be compared; where scalar holds, means."),
    if (is.null(section$languages)) paragraph("The last step, agreement, says that people agree as readily in both lives, whatever a statement says. Where it is flagged, no statement is at fault: gaps have some of it in them, which the quality of each result bounds (agreementShift)."),
    html_table(rows[names(rows) != "flag"], rows$flag)
  )
}

retest_part <- function(section, study) {
  pictures <- vapply(unique(vapply(section$values, `[[`, "", "measure")), function(measure) {
    rows <- Filter(function(row) row$measure == measure && !is.na(row$icc), section$values)
    if (length(rows) == 0) return("")
    series <- list(icc = data.frame(value = vapply(rows, `[[`, 0, "icc"), low = vapply(rows, function(r) r$interval[1], 0), high = vapply(rows, function(r) r$interval[2], 0)))
    names_of <- study$values$name[match(vapply(rows, `[[`, 0, "value"), study$values$id)]
    paste0("<h3>", measure_names[[measure]], "</h3>", intervals_picture(paste("Retest,", measure_names[[measure]]), names_of, series, "ICC(2,1), with 95 % interval"))
  }, "")
  rows <- Filter(function(row) !is.na(row$icc), c(section$values, section$totals))
  member <- function(name) vapply(rows, `[[`, 0, name)
  name_of <- function(row) if (is.null(row$value)) "" else study$values$name[match(row$value, study$values$id)]
  score_of <- function(row) measure_names[[if (is.null(row$total)) row$measure else row$total]]
  shown <- data.frame(Value = vapply(rows, name_of, ""), Score = vapply(rows, score_of, ""),
    ICC = two(member("icc")), SEM = one_decimal(member("sem")), `Smallest change` = one_decimal(member("smallestChange")), Drift = one_decimal(member("drift")), check.names = FALSE)
  c(
    paragraph(section$n, " people answered twice, ", one_decimal(section$days[2]), " days apart in the middle (", one_decimal(section$days[1]), " to ",
      one_decimal(section$days[3]), "). Scores are in points, 0 to 100; centred ones are without the mean of the person's scores."),
    in_studies(section$power$told, " have the lower end of an interval above .70 if the ICC is .80 among all people"),
    vapply(section$order, function(o) paragraph("Order of the values in ", life_names[[o$life]], ": Spearman's r of a person's two orders is ",
      two(o$correlation[2]), " in the middle, ", two(o$correlation[1]), " to ", two(o$correlation[3]), " in half of all people. Of a person's first ",
      first_places, " values, ", one_decimal(o$firstPlaces), " come first again; by chance it would be ", one_decimal(o$firstPlacesByChance), "."), ""),
    paragraph("Archetypes: the same in ", percent(section$archetypes$agreement), "; kappa ", two(section$archetypes$kappa), "."),
    pictures, html_table(shown)
  )
}

criteria_part <- function(section, name_of) {
  unlist(lapply(section$criteria, function(criterion) {
    head <- paste0("<h3>", escaped(criterion$criterion), "</h3>")
    if (criterion$state != "told") return(c(head, without_figures(criterion)))
    rows <- criterion$correlations
    rows <- rows[order(-abs(rows$r)), ]
    shown <- data.frame(Score = measure_names[rows$measure], Value = ifelse(is.na(rows$value), "", name_of(rows$value)), r = two(rows$r),
      `95 % interval` = paste(two(rows$low), "to", two(rows$high)), `p, corrected` = three(rows$pHolm), check.names = FALSE)
    c(head, paragraph(criterion$n, " people. Intervals are of one correlation each: of ", sum(!is.na(rows$r)), ", ", round(.05 * sum(!is.na(rows$r))),
      " would have one without 0 by chance alone; one of .30 is told in ", percent(criterion$power$told), " of studies with so many. Marked: p below .05, corrected for all correlations of the section (Holm)."),
      html_table(shown, rows$pHolm < .05))
  }))
}

#' What each section found, in a line.
glance_part <- function(sections, titles) {
  share <- function(is_so) paste(sum(is_so), "of", length(is_so))
  members <- function(list, name) unlist(lapply(list, function(one) if (is.null(one[[name]])) NA else one[[name]][1]))
  at_least <- function(rows, name) share(members(rows, name) >= .70 & !is.na(members(rows, name)))
  is_flagged <- function(g, of) any(vapply(Filter(function(step) step$step %in% of, g$steps), function(step) isTRUE(step$isFlagged), NA))
  flagged <- function(s) share(vapply(s$groups, function(g) g$state != "told" || is_flagged(g, steps), NA))
  found <- list(
    items = function(s) paste(s$flagged, "of", nrow(s$statements), "statements are flagged"),
    reliability = function(s) {
      rows <- Filter(function(row) row$statements == "all", s$measures)
      of <- function(measure) at_least(Filter(function(row) row$measure == measure, rows), "omegaInterval")
      paste0("the interval of omega lies above .70 in ", of("ideal"), " values of the life wanted, ", of("current"), " of today, ", of("gap"), " gaps")
    },
    circle = function(s) paste0(if (s$ideal$verdict == "circle") "yes" else "no", " in the life wanted, ", if (s$current$verdict == "circle") "yes" else "no", " in the life of today"),
    efa = function(s) paste(percent(mean(members(s$groups, "ownShare"))), "of statements load most on their own value"),
    cfa = function(s) {
      low <- unlist(lapply(s$groups, function(g) g$loadings$loading)) < least_loading
      paste0(share(members(s$groups, "isGood") %in% TRUE), " models fit well; ", share(low), " loadings are below ", two(least_loading))
    },
    invarianceOfLives = function(s) {
      paste0(flagged(s), " groups of values are flagged, and ", share(vapply(s$groups, is_flagged, NA, of = "agreement")), " for agreement")
    },
    invarianceOfLanguages = function(s) paste(flagged(s), "groups of values are flagged"),
    retest = function(s) paste("the interval of ICC(2,1) lies above .70 in", at_least(s$values, "interval"), "scores"),
    criteria = function(s) {
      clear <- unlist(lapply(s$criteria, function(criterion) criterion$correlations$pHolm)) < .05
      paste(length(s$criteria), if (length(s$criteria) == 1) "criterion;" else "criteria;", sum(clear, na.rm = TRUE), "correlations are beyond chance for all of them together")
    }
  )
  words <- function(name) {
    section <- sections[[name]]
    if (is_told(section)) found[[name]](section) else gsub("</?p>", "", without_figures(section))
  }
  rows <- data.frame(Section = unname(titles), Found = vapply(names(titles), words, ""))
  if (nrow(rows) > 0) html_table(rows)
}

#' The languages of the statements, and how far translations have come.
languages_part <- function(study) {
  languages <- study$languages
  if (nrow(languages) == 0) return(NULL)
  answered <- vapply(languages$language, function(tag) sum(study$people$shown_language %in% tag), 0L)
  shown <- data.frame(Language = languages$language, Statements = languages$is, People = as.character(answered))
  unknown <- nrow(study$people) - sum(answered)
  c(
    html_table(rbind(shown, if (unknown > 0) data.frame(Language = "not known", Statements = "", People = as.character(unknown)))),
    paragraph("Compare people across languages only by a translation that is equivalent.")
  )
}

count_names <- c(sessions = "Rows in the export", cameAgain = "of sessions that come again further down", ofOtherVersions = "of other versions", notCompleted = "not completed",
  incomplete = "without an answer to every statement", gradedFail = "graded fail", ofPeopleCountedAlready = "of people who are counted already",
  people = "People who count", repeatedTooSoonOrLate = "second sessions that came too soon or too late for a retest")

page_style <- "
body{margin:0 auto;max-width:60rem;padding:2rem 1rem 4rem;font:16px/1.5 system-ui,sans-serif;color:#1d2733;background:#fff}
h1{font-size:1.8rem}h2{margin-top:3rem;border-top:1px solid #d5dbe1;padding-top:1rem}h3{margin-bottom:.3rem}
img{display:block;max-width:100%;height:auto;margin:.5rem 0}
table{border-collapse:collapse;font-size:.85rem}th,td{padding:.25rem .6rem;text-align:left;border-bottom:1px solid #e6eaee;vertical-align:top}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.wide{overflow-x:auto}.flagged td{background:#fdf1ea}
.made-up{padding:.6rem 1rem;background:#fff3cd;border:2px solid #b7410e;font-weight:600;position:sticky;top:0}
@media print{body{max-width:none;padding:0;font-size:11px}table{font-size:9px}.wide{overflow:visible}tr,img{break-inside:avoid}.flagged td{font-weight:bold}.made-up{position:static}}
"

#' The page. @param sections as validate() gives them @return text of the file
page <- function(study, sections, options) {
  shown <- page_sections(study)[names(sections)]
  made_up <- '<p class="made-up">Made-up answers. This page says nothing about the instrument.</p>'
  counts <- data.frame(Sessions = unname(count_names[names(study$counts)]), Number = as.character(unlist(study$counts)))
  options("validation.made_up" = options$madeUp)
  parts <- unlist(lapply(names(shown), function(name) {
    section <- sections[[name]]
    c(sprintf('<h2 id="%s">%s</h2>', name, escaped(shown[[name]][[1]])), if (is_told(section)) shown[[name]][[2]](section) else without_figures(section))
  }))
  titles <- vapply(shown, `[[`, "", 1)
  paste(c(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    sprintf("<title>Validation of %s, version %s</title><style>%s</style></head><body>", escaped(study$product), study$version, page_style),
    if (options$madeUp) made_up,
    sprintf("<h1>Validation of %s, version %s</h1>", escaped(study$product), study$version),
    paragraph("Each person counts once, with the first session that can be used."),
    html_table(counts), languages_part(study), "<h2>At a glance</h2>", glance_part(sections, titles), parts,
    paragraph("Made with ", paste(names(software()), unlist(software()), collapse = ", "), "."), "</body></html>"
  ), collapse = "\n")
}
