# Writes data/dice_couplings.rda. Run from the repository's root: Rscript data-raw/dice_couplings.R

throws <- expand.grid(second = 1:6, first = 1:6)[2:1]
first <- throws$first
second <- throws$second

couplings <- list(
  independent = rep(1 / 36, 36),
  equal = (first == second) / 6,
  opposite = (first + second == 7) / 6,
  neighbour = (second == first | second == first %% 6 + 1) / 12,
  half_equal = 1 / 72 + (first == second) / 12,
  parity = ((first + second) %% 2 == 0) / 18
)

dice_couplings <- do.call(rbind, lapply(names(couplings), function(coupling) {
  data.frame(coupling, throws, probability = couplings[[coupling]])
}))
dice_couplings$coupling <- factor(dice_couplings$coupling, names(couplings))

save(dice_couplings, file = "data/dice_couplings.rda", version = 2)
