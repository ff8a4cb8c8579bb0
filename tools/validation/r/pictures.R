# Pictures of the page: SVG by R's own device (cairo), as text of an <img> that names no file.

ink <- "#1d2733"
quiet <- "#8a96a3"
hue <- "#2b6cb0"
warn <- "#b7410e"

#' Draws into SVG. @param alt what a reader who sees no picture is told @return an <img>
picture <- function(alt, width, height, draw) {
  file <- tempfile(fileext = ".svg")
  on.exit(unlink(file))
  grDevices::svg(file, width = width, height = height, bg = "white")
  graphics::par(mar = c(4, 4, 1, 1), col.axis = ink, col.lab = ink, fg = quiet, las = 1, cex = .8, bty = "n", mgp = c(2.4, .6, 0))
  tryCatch(
    {
      draw()
      if (isTRUE(getOption("validation.made_up"))) graphics::mtext("Made-up answers", side = 1, line = -1, adj = 1, outer = TRUE, col = warn, cex = .8)
    },
    finally = grDevices::dev.off()
  )
  sprintf('<img alt="%s" src="data:image/svg+xml,%s">', escaped(alt), in_url(smaller(readLines(file, encoding = "UTF-8"))))
}

#' The same picture in half of the bytes: hundredths of a point are enough, and each look is said once, as a class, where
#' cairo says it at every stroke: before 1.17.6 as a style, since then as attributes.
smaller <- function(lines) {
  svg <- paste(trimws(gsub("([0-9][.][0-9]{2})[0-9]+", "\\1", lines)), collapse = "")
  places <- gregexpr('( (style|(fill|stroke)[a-z-]*)="[^"]*")+', svg)
  found <- regmatches(svg, places)[[1]]
  looks <- unique(found)
  names <- paste0("s", seq_along(looks))
  regmatches(svg, places) <- list(sprintf(' class="%s"', names[match(found, looks)]))
  declared <- gsub(' ([a-z-]+)="([^"]*)"', "\\1:\\2;", gsub(' style="([^"]*)"', "\\1", looks))
  rules <- paste0(".", names, "{", sub(";$", "", declared), "}", collapse = "")
  sub("<defs>", paste0("<style>", rules, "</style><defs>"), svg, fixed = TRUE)
}

#' A text as part of a URL between double quotes.
in_url <- function(text) {
  for (pair in list(c("%", "%25"), c('"', "'"), c("#", "%23"), c("<", "%3C"), c(">", "%3E"))) text <- gsub(pair[1], pair[2], text, fixed = TRUE)
  text
}

#' Where the theory has each value, on the circle, and where the answers put it.
circle_picture <- function(circle, life) {
  picture(paste("Circle of values of", life_names[[life]]), 6, 6, function() {
    values <- circle$values
    graphics::par(mar = c(0, 0, 0, 0))
    radius <- sqrt(values$x^2 + values$y^2)
    x <- values$x / max(radius)
    y <- values$y / max(radius)
    graphics::plot(NA, xlim = c(-1.5, 1.5), ylim = c(-1.35, 1.35), asp = 1, axes = FALSE, xlab = "", ylab = "")
    turn <- seq(0, 2 * pi, length.out = 200)
    graphics::lines(cos(turn), sin(turn), col = "#d5dbe1")
    at <- values$theory * pi / 180
    graphics::segments(cos(at), sin(at), x, y, col = quiet, lwd = 1.2)
    graphics::points(cos(at), sin(at), pch = 21, bg = "white", col = quiet)
    graphics::points(x, y, pch = 19, col = hue)
    # pos 4 stands right of its place, 2 left of it.
    right <- cos(at) >= 0
    graphics::text(1.06 * cos(at[right]), 1.06 * sin(at[right]), values$name[right], pos = 4, offset = .2, col = ink)
    graphics::text(1.06 * cos(at[!right]), 1.06 * sin(at[!right]), values$name[!right], pos = 2, offset = .2, col = ink)
  })
}

#' A row for each name, with points and 95 % intervals of one or more series beside each other, from 0 to 1. What research
#' asks of a scale, .70, is dashed.
#' @param series named list of data frames value, low, high, as many rows as names
intervals_picture <- function(alt, names, series, label) {
  n <- length(names)
  picture(alt, 7.5, .9 + .24 * n, function() {
    graphics::par(mar = c(5, 9, 1.5, 1))
    least <- min(0, unlist(lapply(series, unlist)), na.rm = TRUE)
    graphics::plot(NA, xlim = c(least, 1), ylim = c(n + .5, .5), yaxt = "n", xlab = label, ylab = "")
    graphics::axis(2, seq_len(n), names, tick = FALSE)
    graphics::abline(h = seq_len(n), col = "#eef1f4")
    graphics::abline(v = .7, col = warn, lty = 2)
    colors <- c(hue, quiet)
    for (i in seq_along(series)) {
      y <- seq_len(n) + (i - (length(series) + 1) / 2) * .3
      graphics::segments(series[[i]]$low, y, series[[i]]$high, y, col = colors[i], lwd = 1.5)
      graphics::points(series[[i]]$value, y, pch = 19, cex = .7, col = colors[i])
    }
    if (length(series) > 1) {
      graphics::legend("top", names(series), pch = 19, col = colors, horiz = TRUE, bty = "n", inset = c(0, -.03), xpd = TRUE)
    }
  })
}

#' Eigenvalues beside those of random answers.
scree_picture <- function(parallel) {
  picture(paste("Eigenvalues of", life_names[[parallel$life]]), 6, 3, function() {
    shown <- seq_len(min(30, length(parallel$eigenvalues)))
    graphics::plot(shown, parallel$eigenvalues[shown], type = "o", pch = 19, col = hue, xlab = "Factor", ylab = "Eigenvalue", ylim = c(0, max(parallel$eigenvalues)))
    graphics::lines(shown, parallel$random[shown], col = warn, lty = 2)
    graphics::legend("topright", c("answers", "random answers"), lty = c(1, 2), col = c(hue, warn), bty = "n")
  })
}
