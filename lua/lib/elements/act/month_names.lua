--- The numbers of months by their names and their short names, in lower case: English, German, French, Spanish, Italian, Dutch,
--- Portuguese.

local NAMES = {
  "jan january januar jänner janv janvier ene enero gen gennaio januari janeiro",
  "feb february februar févr février febrero febbraio februari fev fevereiro",
  "mar march mär märz mrz mars marzo mrt maart março",
  "apr april avr avril abr abril aprile",
  "may mai mayo mag maggio mei maio",
  "jun june juni juin junio giu giugno junho",
  "jul july juli juil juillet julio lug luglio julho",
  "aug august août ago agosto augustus",
  "sep sept september septembre septiembre set settembre setembro",
  "oct october okt oktober octobre octubre ott ottobre out outubro",
  "nov november novembre noviembre novembro",
  "dec december dez dezember déc décembre dic diciembre dicembre dezembro",
}

local numbers = {}
for number, names in ipairs(NAMES) do
  for name in names:gmatch "%S+" do numbers[name] = number end
end

return numbers
