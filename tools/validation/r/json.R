# validation.json: numbers to four decimals, NA as null, data frames by row.
write_json <- function(result, file) {
  # Rounded before, since toJSON writes what is next to 0 with an exponent.
  rounded <- rapply(result, function(numbers) round(numbers, 4), classes = "numeric", how = "replace")
  text <- jsonlite::toJSON(rounded, auto_unbox = TRUE, digits = 4, na = "null", null = "null", dataframe = "rows", pretty = 2)
  writeLines(text, file, useBytes = TRUE)
}
