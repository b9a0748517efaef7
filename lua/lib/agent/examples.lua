--- Runs the examples in a rule, prompt or provider file. They are its documentation, so they have to be true.

local json = require "sys.json"

local examples = {}

---@class agent.ExampleResult
---@field name   string
---@field ok     boolean
---@field detail? string  the difference

local function written(value)
  if value == nil then return "nothing" end
  return json.encode(value) or tostring(value)
end


--- Says where a value is not as wanted; nil if it is.
local function difference(got, want, path)
  if type(got) ~= "table" or type(want) ~= "table" then
    if got == want and math.type(got) == math.type(want) then return nil end
    return ("%s is %s, expected %s"):format(path, written(got), written(want))
  end
  for key, value in pairs(want) do
    local where = difference(got[key], value, path .. "." .. tostring(key))
    if where then return where end
  end
  for key, value in pairs(got) do
    if want[key] == nil then return ("%s.%s is %s, expected nothing"):format(path, tostring(key), written(value)) end
  end
end


local function result(name, detail)
  return { name = name, ok = detail == nil, detail = detail }
end


--- Runs the examples `{ reply, want = ... }`: parse(reply) returns `want`.
---@param rule agent.Rule
---@return agent.ExampleResult[]
function examples.rule(rule)
  local results = {}
  for i, example in ipairs(rule.examples or {}) do
    local name = ("reads %s"):format(written(example[1]))
    results[i] = result(name, difference(rule.parse(example[1]), example.want, "the result"))
  end
  return results
end


--- Says what is wrong with words that an example describes; nil if nothing is.
local function wrong_words(text, example)
  local detail
  if example.want and text ~= example.want then detail = "the text is " .. written(text) end
  for _, part in ipairs(example.has or {}) do
    if not text:find(part, 1, true) then detail = "the text lacks " .. written(part) end
  end
  return detail
end


--- Runs the examples `{ name, args = ..., has = { parts }, want = text }`: render(args) has the parts, or is the text.
---@param prompt Prompt
---@return agent.ExampleResult[]
function examples.prompt(prompt)
  local results = {}
  for i, example in ipairs(prompt.examples or {}) do
    local text = prompt.render(example.args or {})
    if type(text) == "table" then text = json.encode(text) end
    results[i] = result(example[1], wrong_words(text, example))
  end
  return results
end


--- Runs the examples `{ name, has = { parts }, want = text }` of words that Perigee itself uses.
---@param file Text
---@return agent.ExampleResult[]
function examples.text(file)
  local results = {}
  for i, example in ipairs(file.examples or {}) do results[i] = result(example[1], wrong_words(file.text, example)) end
  return results
end


--- Runs an example of a provider. With an API, `request` is sent as `sends`, to `url`; `receives` is read as `want`, or fails
-- with `code`. Without one, `complete(request)` returns `want`, or fails with `code`.
local function provider_example(provider, example)
  local api, settings = provider.api, nil
  if api then
    settings = { model = example.model or "model", base = example.base or api.base, key = "key", memory = {} }
  end
  if api and example.request then
    local sent = api.encode(example.request, settings)
    local where = difference(sent.body, example.sends, "the body")
    if where then return where end
    if example.url and sent.url ~= settings.base .. example.url then return "the URL is " .. sent.url end
  end

  local reply, err, code
  if api then
    reply, err, code = api.decode(example.receives, settings)
  else
    local context = { memory = {}, request_text = example.request_text or "", tape = example.tape }
    reply, err, code = provider.complete(example.request, context)
  end
  if example.code then
    return code ~= example.code and ("the code is %s (%s)"):format(written(code), written(err)) or nil
  end
  return difference(reply, example.want, "the reply")
end


---@param provider Provider
---@return agent.ExampleResult[]
function examples.provider(provider)
  local results = {}
  for i, example in ipairs(provider.examples or {}) do
    results[i] = result(example[1], provider_example(provider, example))
  end
  return results
end


return examples
