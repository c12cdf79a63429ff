-- Smaller pages. Pandoc makes each line of code an element and a link to itself, wraps code, adds its
-- LaTeX source to each formula, and classes and widths to tables. Browsers show none of them, or set
-- tables better without. Here code, formulas and tables are written without them.
-- Texts and comments keep their colours in code; names, numbers and operators have none.
-- lecture.css has the colours, so that no page needs those of pandoc.
-- Bold, calligraphic and italic letters become ordinary letters in a style, because many devices
-- have no font with the mathematical letters of Unicode.

if not pandoc.write then return {} end

local function html(block)
  local options = pandoc.WriterOptions({html_math_method = "mathml"})
  return pandoc.write(pandoc.Pandoc({block}), "html4", options)
end

-- A line of code without the element around it.
local function bare(line)
  local inner, rest = line:match("^(.*)</span>(.-)$")
  return inner and inner .. rest or line
end

-- The site colours code itself.
local on_site = os.getenv("IN_PKGDOWN") == "true"

local function code(block)
  if #block.classes == 0 or on_site then return nil end
  local text = html(block)
  text = text:gsub('<a href="#cb%d+%-%d+" aria%-hidden="true" tabindex="%-1"></a>', "")
  text = text:gsub('<span id="cb%d+%-%d+">([^\n]*)', bare)
  text = text:gsub('<div class="sourceCode" id="cb%d+">', ""):gsub("</div>%s*$", "")
  text = text:gsub('<(%a+) class="sourceCode %w+">', "<%1>"):gsub("&quot;", '"')
  for _, class in ipairs({"fu", "at", "dv", "fl", "sc", "ot", "cf", "cn"}) do
    text = text:gsub('<span class="' .. class .. '">([^<]*)</span>', "%1")
  end
  return pandoc.RawBlock("html", text)
end

local function tabular(block)
  local text = html(block):gsub(' align="left"', ""):gsub('<tr class="%a+">', "<tr>")
  text = text:gsub("<colgroup>.-</colgroup>\n", ""):gsub(' style="width: *%d+%%;?"', "")
  -- HTML needs no end of a cell or a row.
  text = text:gsub("</t[dhr]>\n", "")
  return pandoc.RawBlock("html", text)
end

-- First letter of an alphabet in Unicode, last letter, first ordinary letter, and style.
local alphabets = {
  {0x1D400, 0x1D419, 0x41, "bold"}, {0x1D41A, 0x1D433, 0x61, "bold"},
  {0x1D6A8, 0x1D6C0, 0x391, "bold"}, {0x1D6C2, 0x1D6DA, 0x3B1, "bold"},
  {0x1D49C, 0x1D4B5, 0x41, "script"}, {0x1D434, 0x1D44D, 0x41, "italic"},
  {0x1D44E, 0x1D467, 0x61, "italic"}
}
local single = {[0x212C] = "B", [0x211B] = "R", [0x2112] = "L", [0x210E] = "h"}

local function ordinary(letter)
  local code = utf8.codepoint(letter)
  if single[code] then return single[code], code == 0x210E and "italic" or "script" end
  for _, a in ipairs(alphabets) do
    if code >= a[1] and code <= a[2] then return utf8.char(code - a[1] + a[3]), a[4] end
  end
  return letter, nil
end

local function identifier(letter)
  if letter:match("^%p$") then return '<mi mathvariant="normal">' .. letter .. "</mi>" end
  if utf8.len(letter) ~= 1 then return nil end
  local plain, style = ordinary(letter)
  if not style or style == "italic" then return "<mi>" .. plain .. "</mi>" end
  return '<mi class="' .. style .. '">' .. plain .. "</mi>"
end

local function formula(math)
  local text = html(pandoc.Plain({math}))
  text = text:gsub("<annotation.-</annotation>", ""):gsub("</?semantics>", "")
  text = text:gsub('<mo stretchy="true" form="%a+">', "<mo>")
  text = text:gsub(' xmlns="[^"]*"', ""):gsub(' display="inline"', "")
  text = text:gsub("<mi>([^<]+)</mi>", identifier)
  text = text:gsub("(<mtext[^>]*>)([^<]+)", function(tag, words)
    return tag .. words:gsub(utf8.charpattern, function(letter) return (ordinary(letter)) end)
  end)
  -- The letter has the style itself; one letter or number needs no group.
  text = text:gsub('<mstyle mathvariant="[%a-]+">(<mi[^>]*>[^<]*</mi>)</mstyle>', "%1")
  text = text:gsub("<mrow>(<m[in]>[^<]*</m[in]>)</mrow>", "%1")
  text = text:gsub("<mo>ℓ</mo>", "<mi>ℓ</mi>")
  -- A sign after a bracket or a relation belongs to the number.
  text = text:gsub("(<mo>[(=%[]</mo>)<mo>−</mo>", '%1<mo form="prefix">−</mo>')
  return pandoc.RawInline("html", text)
end

-- No new line between a number and its %.
local function percent(list)
  for i = 2, #list do
    local space = list[i - 1].t == "Space" or list[i - 1].t == "SoftBreak"
    if space and list[i].t == "Str" and list[i].text:match("^%%") then
      list[i - 1] = pandoc.Str("\u{a0}")
    end
  end
  return list
end

return {{Inlines = percent}, {CodeBlock = code, Math = formula, Table = tabular}}
