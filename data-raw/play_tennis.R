# Writes data/play_tennis.rda. Run from the repository's root: Rscript data-raw/play_tennis.R

rows <- "
outlook  temperature humidity wind   play
sunny    hot         high     weak   no
sunny    hot         high     strong no
overcast hot         high     weak   yes
rain     mild        high     weak   yes
rain     cool        normal   weak   yes
rain     cool        normal   strong no
overcast cool        normal   strong yes
sunny    mild        high     weak   no
sunny    cool        normal   weak   yes
rain     mild        normal   weak   yes
sunny    mild        normal   strong yes
overcast mild        high     strong yes
overcast hot         normal   weak   yes
rain     mild        high     strong no
"

level_order <- list(
  outlook = c("sunny", "overcast", "rain"),
  temperature = c("hot", "mild", "cool"),
  humidity = c("high", "normal"),
  wind = c("weak", "strong"),
  play = c("yes", "no")
)

play_tennis <- utils::read.table(text = rows, header = TRUE, colClasses = "character")
play_tennis[] <- Map(factor, play_tennis, level_order)

save(play_tennis, file = "data/play_tennis.rda", version = 2)
