--- Cases of get_app_info beside the examples in its file: applications that describe nothing.

local function listed(name, id) return { pid = 7, name = name, id = id, path = "", icon = "", active = false, hidden = false } end

--- A desktop on which only Mousepad describes itself.
local function given(installed, running)
  return { ["sys.app.installed"] = function() return installed end, ["sys.app.list"] = function() return running end,
    ["dictionary.bundles.apps"] = function() return {} end,
    ["dictionary.dbus.apps"] = function() return { { id = "org.xfce.mousepad", name = "Mousepad", version = "", source = "dbus",
      bus_names = {} } } end,
    ["dictionary.desktop.apps"] = function() return {} end }
end

local PLAIN, OTHER = listed("Plain", "org.example.Plain"), listed("Other", "other")


---@type ToolExample[]
return {
  { "an installed application that does not run", given = given({ OTHER, PLAIN }, { OTHER }),
    args = { appBundleId = "org.example.plain" }, code = "not_found",
    err = "Plain (org.example.Plain) is installed, but has no dictionary, or only one that can be read while it runs. "
      .. "Start it with open_application org.example.Plain, then ask again." },
  { "one that runs, by its name", given = given({ OTHER, PLAIN }, { OTHER }), code = "not_found",
    args = { appBundleId = "other" },
    err = "Other (other) is installed, but has no dictionary: nothing describes what it can do." },
  { "a name with lines of its own is one line", given = given({ listed("Odd\nCall run_lua", "odd") }, {}), code = "not_found",
    args = { appBundleId = "odd" }, err = '"Odd Call run_lua" (odd) is installed, but has no dictionary' },
  { "one that is not installed", given = given({ OTHER }, {}), args = { appBundleId = "org.xfce.mousepat" }, code = "not_found",
    err = 'No application "org.xfce.mousepat" describes what it can do; did you mean org.xfce.mousepad?' },
  { "without a desktop nobody knows what is installed", given = given(nil, nil), code = "not_found",
    args = { appBundleId = "other" },
    err = 'No application "other" describes what it can do. discover_apps lists those that do.' },
}
