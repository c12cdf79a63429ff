# Draws the figure of README.md. Usage, from the root: Rscript tools/figure.R
library(bayesrisk)

cost <- cost_matrix(
  operate = c(malignant = 0, benign = 5),
  wait = c(malignant = 50, benign = 0),
  refer = 1
)
model <- fit(bayes_full(), class ~ V1 + V3, MASS::biopsy)

dir.create("man/figures", showWarnings = FALSE)
grDevices::png("man/figures/README-regions.png", 1400, 900, res = 180)
plot(model,
  type = "regions", data = MASS::biopsy, cost = cost,
  xlim = c(0, 11), ylim = c(0, 11), xlab = "clump thickness", ylab = "uniformity of cell shape"
)
invisible(grDevices::dev.off())
