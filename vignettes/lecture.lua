-- Smaller pages. Pandoc links each line of code to itself, and adds its LaTeX source to each
-- formula. Browsers show neither. Here code and formulas are written without them.
-- The first block of code stays with pandoc, which adds the colours of code for it.

if not pandoc.write then return {} end

local function html(block)
  local options = pandoc.WriterOptions({html_math_method = "mathml"})
  return pandoc.write(pandoc.Pandoc({block}), "html", options)
end

local blocks = 0

local function code(block)
  if #block.classes == 0 then return nil end
  blocks = blocks + 1
  if blocks == 1 then return nil end
  local text = html(block)
  text = text:gsub('<a href="#cb%d+%-%d+" aria%-hidden="true" tabindex="%-1"></a>', "")
  text = text:gsub('<span id="cb%d+%-%d+">', "<span>")
  text = text:gsub('<div class="sourceCode" id="cb%d+">', '<div class="sourceCode">')
  return pandoc.RawBlock("html", text)
end

local function formula(math)
  local text = html(pandoc.Plain({math}))
  text = text:gsub("<annotation.-</annotation>", ""):gsub("</?semantics>", "")
  return pandoc.RawInline("html", text)
end

return {{CodeBlock = code, Math = formula}}
