--- Dictionaries of two applications that do not exist, as the reader of SDEF files makes them.

local function value(name, types, description, more)
  local item = { name = name, types = {}, description = description }
  for kind in types:gmatch "[^/]+" do
    local one = kind:match "^list of (.*)$"
    item.types[#item.types + 1] = { name = one or kind, list = one ~= nil }
  end
  for key, each in pairs(more or {}) do item[key] = each end
  return item
end

local needed, optional = { required = true }, { required = false }

local POSTBOX = { id = "com.example.postbox", name = "Postbox", version = "1.0", source = "sdef", notes = {}, suites = {
  { name = "Standard Suite", commands = {
      { name = "count", description = "Return the number of elements.", parameters = {}, direct = value(nil, "specifier", nil, needed) },
      { name = "make", description = "Create a new object.", direct = nil,
        parameters = { value("new", "type", nil, needed), value("with properties", "record", nil, optional) } } },
    classes = {}, enumerations = {}, records = {} },
  { name = "Postbox Suite", commands = {
      { name = "dispatch", description = "Deliver a letter to its recipients.", parameters = {
          value("by", "priority", "How soon it goes out.", optional) }, direct = value(nil, "letter", nil, needed) },
      { name = "collect", description = "Look for new letters on the server.", parameters = { value("for", "account", nil, optional) } },
      { name = "file away", description = "Put letters into a drawer.", parameters = { value("into", "drawer", nil, needed) },
        direct = value(nil, "list of letter", nil, needed), synonyms = { { name = "archive" }, { code = "arch" } } },
      { name = "debug dump", description = "Deliver everything for tests.", hidden = true, parameters = {} } },
    classes = {
      { name = "letter", description = "A letter in a drawer.", elements = {}, properties = {
          value("sender", "text", "Who wrote it.", { access = "r" }),
          value("opened", "boolean", "Has it been read?", { access = "rw" }),
          value("secret key", "text", "Internal.", { access = "r", hidden = true }) } },
      { name = "drawer", description = "A folder of letters.", elements = {}, properties = {
          value("unopened count", "integer", "The number of letters that have not been read.", { access = "r" }) } },
      { name = "ghost", hidden = true, elements = {}, properties = { value("sender", "text", "Hidden.", { access = "r" }) } } },
    enumerations = { { name = "priority", values = { { name = "express" }, { name = "surface" }, { name = "pigeon", hidden = true } } } },
    records = { { name = "stamp settings", elements = {}, properties = {
      value("postage", "real", "The price of a letter.", { access = "rw" }) } } } },
  { name = "Hidden Suite", hidden = true, commands = { { name = "reveal ghosts", parameters = {} } }, classes = {}, enumerations = {},
    records = {} } } }

local DARKROOM = { id = "com.example.darkroom", name = "Darkroom", version = "2.1", source = "sdef", notes = {}, words = "photograph",
  suites = { { name = "Darkroom Suite", commands = {
      { name = "develop", description = "Apply a recipe to a photo.", parameters = { value("using", "recipe", nil, needed) },
        direct = value(nil, "photo", nil, needed) },
      { name = "crop", description = "Cut a photo to a rectangle.", parameters = { value("to", "rectangle", nil, needed) },
        direct = value(nil, "photo", nil, needed) },
      { name = "rotate", description = "Turn a photo by an angle.", parameters = { value("by", "real", nil, needed) },
        direct = value(nil, "photo", nil, needed) },
      { name = "export", description = "Write a photo to a file.", direct = value(nil, "photo", nil, needed),
        parameters = { value("to", "file", nil, needed), value("as", "picture format", nil, optional) } } },
    classes = { { name = "photo", elements = {}, properties = {
      value("rating", "integer", "Stars, 0 to 5.", { access = "rw" }),
      value("shot date", "date", "When it was taken.", { access = "r" }),
      value("camera", "text", "The camera that took it.", { access = "r" }) } } },
    enumerations = { { name = "picture format", values = { { name = "JPEG" }, { name = "TIFF" } } } }, records = {} } } }

return { postbox = POSTBOX, darkroom = DARKROOM }
