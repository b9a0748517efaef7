--- A stand-in for sys.text: the distance of two names, without swaps.
local text = {}

function text.distance(a, b, most)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local corner = row[0]
    row[0] = i
    for j = 1, #b do
      local same = a:byte(i) == b:byte(j)
      corner, row[j] = row[j], math.min(corner + (same and 0 or 1), row[j] + 1, row[j - 1] + 1)
    end
  end
  return row[#b] <= most and row[#b] or nil
end

return text
