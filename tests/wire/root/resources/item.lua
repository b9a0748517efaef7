return {
  uriTemplate = "test://items/{kind}/{id}{?part}",
  description = "Items by kind and id.",
  mimeType    = "application/json",

  read = function(_, params, call)
    if params.kind == "none" then return nil, "no such kind", "not_found" end
    if params.kind == "broken" then return nil, "the shelf fell down" end
    if params.kind == "asked" then
      local roots, why, code = call:roots()
      if not roots then return nil, why, code end
      return { roots = roots }
    end
    return params
  end,

  complete = {
    id = function(value, given)
      local list = {}
      for i = 1, 150 do list[i] = ("%s-%s-%d"):format(given.kind, value, i) end
      return list
    end,
  },
}
