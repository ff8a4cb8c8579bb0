# The four higher-order groups of the 19 values, neighbours on the circle (Schwartz et al. 2012, figure 1).

#' Value ids by group. Enjoyment (4), Good Standing (8) and Modesty (14) stand between two groups in the theory; each is
#' in the group that the circle of this instrument begins or ends with it.
higher_order_groups <- list(
  openness = 1:4, enhancement = 5:8, conservation = 9:14, transcendence = 15:19
)

#' What readers call the groups.
group_names <- c(
  openness = "Openness to change", enhancement = "Self-enhancement", conservation = "Conservation",
  transcendence = "Self-transcendence"
)
