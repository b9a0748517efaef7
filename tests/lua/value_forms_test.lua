#!/usr/bin/env tests/lua/run
--- Values in the forms that applications give them: which are the same, which may be, and which are not.
local t     = require "check"
local forms = require "elements.act.value_forms"

local function cases(title, want, list)
  t.case(title, function()
    for _, each in ipairs(list) do
      local told = forms.compare(each[1], each[2], each[3])
      t.same({ each[1], each[2], each[3] or "", told or "other" }, { each[1], each[2], each[3] or "", want })
    end
  end)
end

-- --- a family of numbers: each locale writes each of them, and every other number is another one -----------------------------------

local LOCALES = { { ",", "." }, { ".", "," }, { " ", "," }, { "\u{202f}", "," }, { "'", "." }, { "\u{2019}", "." }, { "", "." },
  { "", "," } }
local UNITS = { { "", "" }, { "$", "" }, { "", " €" }, { "USD ", "" }, { "", " kr" }, { "", " %" }, { "", "%" }, { "", " px" } }
local NUMBERS = { "0", "5", "50", "999", "1234", "12345", "1234567", "0.5", "5.25", "1234.5", "1234567.25", "-7", "-1234.5" }

--- The number in the form of a locale, with at least as many digits after the point.
local function written(number, locale, places)
  local sign, whole, fraction = number:match "^(%-?)(%d+)%.?(%d*)$"
  whole = whole:reverse():gsub("(%d%d%d)", "%1\0"):reverse():gsub("^%z", ""):gsub("%z", locale[1])
  fraction = fraction .. ("0"):rep(places - #fraction)
  return sign .. whole .. (fraction ~= "" and locale[2] .. fraction or "")
end


t.case("numbers of all locales, with money, units and percent", function()
  local count = 0
  for _, number in ipairs(NUMBERS) do
    for _, locale in ipairs(LOCALES) do
      for _, unit in ipairs(UNITS) do
        for _, places in ipairs { 0, 2 } do
          local held = unit[1] .. written(number, locale, places) .. unit[2]
          local open = unit[2] == " px" or unit[2]:find "%%"     -- they may be converted
          local one_mark = places == 0 and held:find "^%D*[1-9]%d?%d?[.,]%d%d%d%D*$"
          t.same(held .. ": " .. (forms.compare(number, held) or "other"), held .. ": " .. (open and one_mark and "unclear" or "same"))
          for _, other in ipairs { "6", "1235", "12.34", "123456", "5.26", "-5", "7" } do
            local told = other ~= number and forms.compare(other, held)
            count = count + 1
            if told == "same" then t.same({ other, held }, "never the same") end
          end
        end
      end
    end
  end
  t.ok(count > 1000)
end)

cases("the same number", "same", { { "5", "5.00" }, { "-5", "($5.00)" }, { "-5", "\u{2212}5" }, { "-5", "5.00-" },
  { "+5", "5" }, { ".5", "0.50" }, { "5", "05" }, { "1234567", "12,34,567" }, { "1,234,567", "1234567" }, { "1.234,50", "1,234.5" },
  { "1234.567", "1,234.567" }, { "0.125", "0,125" }, { "12.345", "12,345", "0,000" }, { "1234", "1.234", "500" },
  { "5 cm", "5.00 cm" }, { "50%", "50 %" }, { "12", "12 pages", "10 pages" }, { "5551234567", "(555) 123-4567" },
  { "4111111111111111", "4111 1111 1111 1111" } })

cases("a number that may be another", "unclear", { { "1.234", "1,234" }, { "12.345", "12,345" }, { "1,234", "1.234" },
  { "1,234", "1234" }, { "1234", "1.234", "5.678" }, { "1234", "1.234 km" }, { "1234", "1,234 kg" }, { "0.5", "50 %" },
  { "50", "5000 %" }, { "50%", "50" }, { "12", "12 k" }, { "12", "12M" }, { "5 cm", "5 mm" }, { "5 cm", "5" }, { "02134", "2134" } })

cases("another number", "other", { { "1234", "12.34" }, { "1234", "123.4" }, { "1234", "1,234", "0,000" }, { "12.345", "12.35" },
  { "1.5", "15" }, { "1.234", "1.234,00" }, { "5", "-5" }, { "5", "(5.00)" }, { "33", "30" }, { "12", "12 Main Street" },
  { "1234", "1,23,4" }, { "1234", "1,2345" }, { "12", "1:2" }, { "1000", "1 km" }, { "12", "12 monkeys" }, { "5551234567",
  "-555 123 4567" }, { "5", "" }, { "", "0" } })

-- --- dates and times ------------------------------------------------------------------------------------------------------------------

cases("the same day", "same", { { "2026-03-15", "15/03/2026" }, { "2026-03-15", "03/15/2026" }, { "2026-03-15", "15.3.2026" },
  { "2026-03-05", "05.03.2026" }, { "2026-03-05", "5. 3. 2026" }, { "2026-03-05", "2026/03/05" }, { "2026-03-05", "5 March 2026" },
  { "2026-03-05", "Thu, Mar 5, 2026" }, { "2026-03-05", "jeudi 5 mars 2026" }, { "2026-03-05", "5. März 2026" },
  { "2026-03-05", "2026年3月5日" }, { "2026-03-05", "05-Mar-26" }, { "05/03/2026", "5/3/2026" }, { "15.03.2026", "2026-03-15" },
  { "2026-03-05", "05/03/2026", "28/11/2026" }, { "2026-05-03", "05/03/2026", "11/28/2026" }, { "2026-03-15", "03/15/26" },
  { "2026-03-05T13:45", "05.03.2026 13:45" }, { "2026-03-05 13:45", "March 5, 2026, 1:45 PM" } })

cases("a day that may be another", "unclear", { { "2026-03-05", "05/03/2026" }, { "2026-03-05", "03/05/2026" },
  { "2026-03-05", "05-03-26" }, { "05/03/2026", "2026-03-05" }, { "2026-03-05", "05/03/2026", "01/02/2026" } })

cases("another day", "other", { { "2026-03-05", "05/04/2026" }, { "2026-03-05", "2026-05-03" }, { "2026-03-05", "05.03.2025" },
  { "2026-03-05", "5 May 2026" }, { "2026-03-05", "31/02/2026" }, { "2026-03-05", "05.03.2026 13:45" },
  { "2026-03-05", "03/05/2026", "28/11/2026" }, { "2026-03-05", "05.03.1926" } })

cases("the same time", "same", { { "12:30", "12:30:00" }, { "13:30", "1:30 PM" }, { "00:15", "12:15 a.m." }, { "9:05", "09:05" } })
cases("another time", "other", { { "12:30", "12:30 AM" }, { "12:30", "12:30:30" }, { "1:30", "1:30 PM" }, { "12", "12:00" } })

cases("other text", "other", { { "abc", "abd" }, { "abc", "ABC" }, { "abc", "" }, { "May 5", "Mar 5" } })

t.done()
