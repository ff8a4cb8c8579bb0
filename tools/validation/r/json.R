# validation.json: numbers to four decimals, NA as null, data frames by row.
write_json <- function(result, file) {
  text <- jsonlite::toJSON(result, auto_unbox = TRUE, digits = 4, na = "null", null = "null", dataframe = "rows", pretty = 2)
  writeLines(text, file, useBytes = TRUE)
}
