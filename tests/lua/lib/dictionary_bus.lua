--- Models of D-Bus applications as they were when each ran on a private bus with one window (Debian 12): mousepad 0.5.10, Thunar
--- 4.18.4, gedit 44.2, Evince 43.1 with a document of two pages, Nautilus 43.2, gnome-calculator 43.0, mpv 0.35.1 with mpv-mpris,
--- dunst 1.9.
---
--- A line of the text is `app ID | NAME`, `at BUS-NAME PATH`, `interface NAME`, `method NAME ARGUMENTS RESULT`,
--- `property NAME TYPE ACCESS`, or `action NAME PARAMETER STATE`. `-` means none.

local M = {}

local BUS = [[
app org.xfce.mousepad | Mousepad
at org.xfce.mousepad /org/xfce/mousepad
action mousepad-plugin-gspell - b
action preferences - -
action preferences.file.add-last-end-of-line - b
action preferences.file.auto-reload - b
action preferences.file.make-backup - b
action preferences.file.monitor-changes - b
action preferences.view.auto-indent - b
action preferences.view.color-scheme s s
action preferences.view.highlight-current-line - b
action preferences.view.indent-on-tab - b
action preferences.view.insert-spaces - b
action preferences.view.match-braces - b
action preferences.view.show-line-endings - b
action preferences.view.show-line-numbers - b
action preferences.view.show-right-margin - b
action preferences.view.show-whitespace - b
action preferences.view.show-whitespace.inside - b
action preferences.view.show-whitespace.leading - b
action preferences.view.show-whitespace.trailing - b
action preferences.view.smart-backspace - b
action preferences.view.use-default-monospace-font - b
action preferences.view.word-wrap - b
action preferences.window.always-show-tabs - b
action preferences.window.client-side-decorations - b
action preferences.window.cycle-tabs - b
action preferences.window.expand-tabs - b
action preferences.window.path-in-title - b
action preferences.window.remember-position - b
action preferences.window.remember-size - b
action preferences.window.remember-state - b
action preferences.window.toolbar-visible - b
action quit - -
action state.search.highlight-all - b
action state.search.incremental - b
at org.xfce.mousepad /org/xfce/mousepad/window/1
action decrease-font-size - -
action document - b
action document.filetype s s
action document.go-to-tab i i
action document.line-ending i i
action document.next-tab - -
action document.previous-tab - -
action document.tab.tab-size i i
action document.viewer-mode - b
action document.write-unicode-bom - b
action edit.convert.spaces-to-tabs - -
action edit.convert.strip-trailing-spaces - -
action edit.convert.tabs-to-spaces - -
action edit.convert.to-lowercase - -
action edit.convert.to-opposite-case - -
action edit.convert.to-title-case - -
action edit.convert.to-uppercase - -
action edit.convert.transpose - -
action edit.copy - -
action edit.cut - -
action edit.decrease-indent - -
action edit.delete-line - -
action edit.delete-selection - -
action edit.duplicate-line-selection - -
action edit.increase-indent - -
action edit.move.line-down - -
action edit.move.line-up - -
action edit.move.word-left - -
action edit.move.word-right - -
action edit.paste - -
action edit.paste-special.paste-as-column - -
action edit.paste-special.paste-from-history - -
action edit.redo - -
action edit.select-all - -
action edit.undo - -
action file.close-tab - -
action file.close-window - i
action file.detach-tab - -
action file.new - -
action file.new-from-template - b
action file.new-from-template.new s -
action file.new-window - -
action file.open - -
action file.open-recent - b
action file.open-recent.clear-history - -
action file.open-recent.new s -
action file.print - -
action file.reload - -
action file.save - i
action file.save-all - -
action file.save-as - i
action help.about - -
action help.contents - -
action increase-font-size - -
action insensitive - -
action preferences.window.menubar-visible - b
action preferences.window.statusbar-visible - b
action preferences.window.toolbar-visible - b
action reset-font-size - -
action search.find - -
action search.find-and-replace - -
action search.find-next - -
action search.find-previous - -
action search.go-to - -
action textview.menubar - b
action view.fullscreen - b
action view.select-font - -
app org.xfce.FileManager | Thunar
at org.xfce.FileManager /org/xfce/FileManager
interface org.xfce.Thunar
method BulkRename working_directory:s,filenames:as,standalone:b,display:s,startup_id:s -
method Terminate - -
interface org.xfce.Trash
method DisplayTrash display:s,startup_id:s -
method EmptyTrash display:s,startup_id:s -
method MoveToTrash filenames:as,display:s,startup_id:s -
method QueryTrash - b
interface org.xfce.FileManager
method DisplayChooserDialog uri:s,open:b,display:s,startup_id:s -
method DisplayApplicationChooserDialog uri:s,open:b,preselect_default_checkbox:b,display:s,startup_id:s -
method DisplayFolder uri:s,display:s,startup_id:s -
method DisplayFolderAndSelect uri:s,filename:s,display:s,startup_id:s -
method DisplayFileProperties uri:s,display:s,startup_id:s -
method Launch uri:s,display:s,startup_id:s -
method Execute working_directory:s,uri:s,files:as,display:s,startup_id:s -
method DisplayPreferencesDialog display:s,startup_id:s -
method CopyTo working_directory:s,source_filenames:as,target_filenames:as,display:s,startup_id:s -
method CopyInto working_directory:s,source_filenames:as,target_filename:s,display:s,startup_id:s -
method MoveInto working_directory:s,source_filenames:as,target_filename:s,display:s,startup_id:s -
method LinkInto working_directory:s,source_filenames:as,target_filename:s,display:s,startup_id:s -
method UnlinkFiles working_directory:s,filenames:as,display:s,startup_id:s -
method LaunchFiles working_directory:s,filenames:as,display:s,startup_id:s -
method RenameFile filename:s,display:s,startup_id:s -
method CreateFile parent_directory:s,content_type:s,display:s,startup_id:s -
method CreateFileFromTemplate parent_directory:s,template_uri:s,display:s,startup_id:s -
at org.freedesktop.FileManager1 /org/freedesktop/FileManager1
interface org.freedesktop.FileManager1
method ShowFolders URIs:as,StartupId:s -
method ShowItems URIs:as,StartupId:s -
method ShowItemProperties URIs:as,StartupId:s -
app org.gnome.gedit | gedit
at org.gnome.gedit /org/gnome/gedit
action about - -
action help - -
action new-document - -
action new-window - -
action preferences - -
action quit - -
action shortcuts - -
action tepl-new-window - -
at org.gnome.gedit /org/gnome/gedit/window/1
action bottom-panel - b
action check-spell - -
action clear-highlight - -
action close - -
action close-all - -
action config-spell - -
action copy - -
action cut - -
action delete - -
action docinfo - -
action find - -
action find-next - -
action find-prev - -
action focus-active-view - b
action fullscreen - b
action goto-line - -
action hamburger-menu - b
action highlight-mode - -
action inline-spell-checker - b
action leave-fullscreen - -
action move-to-new-window - -
action new-tab - -
action new-tab-group - -
action next-document - -
action next-tab-group - -
action open - -
action overwrite-mode - b
action paste - -
action previous-document - -
action previous-tab-group - -
action print - -
action redo - -
action reopen-closed-tab - -
action replace - -
action revert - -
action save - -
action save-all - -
action save-as - -
action select-all - -
action side-panel - b
action sort - -
action tab-width u i
action undo - -
action use-spaces - b
app org.gnome.Evince | Document Viewer
at org.gnome.Evince /org/gnome/Evince
at org.gnome.Evince /org/gnome/Evince/window/1
action about - -
action add-annotation - b
action add-bookmark - -
action annot-properties - -
action annotate-selected-text - -
action auto-scroll - -
action caret-navigation - b
action close - -
action continuous - b
action copy - -
action copy-image - -
action copy-link-address - -
action default-zoom - -
action delete-bookmark - -
action dual-odd-left - b
action dual-page - b
action enable-spellchecking - b
action escape - -
action find - -
action find-next - -
action find-previous - -
action fullscreen - b
action go-back-history - -
action go-backwards - -
action go-first-page - -
action go-forward - -
action go-forward-history - -
action go-last-page - -
action go-next-page - -
action go-previous-page - -
action go-to-link - -
action goto-bookmark u -
action help - -
action highlight-annotation - b
action inverted-colors - b
action new - -
action open - -
action open-attachment - -
action open-containing-folder - -
action open-copy - -
action open-link - -
action open-link-new-window - -
action presentation - -
action print - -
action reload - -
action remove-annot - -
action rotate-left - -
action rotate-right - -
action rtl - b
action save-as - -
action save-attachment - -
action save-image - -
action save-settings - -
action scroll-backwards - -
action scroll-forward - -
action select-all - -
action select-page - -
action send-to - -
action show-help-overlay - -
action show-properties - -
action show-side-pane - b
action sizing-mode s s
action toggle-edit-annots - b
action toggle-find - b
action toggle-menu - -
action zoom d -
action zoom-in - -
action zoom-out - -
at org.gnome.Evince /org/gnome/evince/Evince
interface org.gnome.evince.Application
method Reload args:a{sv},timestamp:u -
method GetWindowList - ao
app org.gnome.Nautilus | Files
at org.gnome.Nautilus /org/gnome/Nautilus
interface org.gnome.Nautilus.FileOperations
method CopyURIs SourceFilesURIList:as,DestinationDirectoryURI:s -
method MoveURIs SourceFilesURIList:as,DestinationDirectoryURI:s -
method EmptyTrash - -
method TrashFiles URIs:as -
method CreateFolder URI:s -
method RenameFile URI:s,NewName:s -
method Undo - -
method Redo - -
property UndoStatus i read
action about - -
action clone-window - -
action help - -
action kill - -
action new-window - -
action preferences - -
action quit - -
action show-file-transfers - -
action show-help-overlay - -
at org.gnome.Nautilus /org/gnome/Nautilus/window/1
action back - -
action back-n u -
action bookmark-current-location - -
action close-current-view - -
action current-location-menu - -
action enter-location - -
action forward - -
action forward-n u -
action go-home - -
action go-starred - -
action go-to-tab i i
action new-tab - -
action open-location s -
action prompt-home-location - -
action prompt-root-location - -
action redo - -
action reload - -
action restore-tab - -
action show-help-overlay - -
action stop - -
action tab-move-left - -
action tab-move-right - -
action toggle-sidebar - -
action undo - -
action up - -
action view-menu - b
at org.gnome.Nautilus /org/gnome/Nautilus/FileOperations2
interface org.gnome.Nautilus.FileOperations2
method CopyURIs sources:as,destination:s,platform_data:a{sv} -
method MoveURIs sources:as,destination:s,platform_data:a{sv} -
method EmptyTrash ask_confirmation:b,platform_data:a{sv} -
method TrashURIs uris:as,platform_data:a{sv} -
method DeleteURIs uris:as,platform_data:a{sv} -
method CreateFolder parent_uri:s,new_folder_name:s,platform_data:a{sv} -
method RenameURI uri:s,new_name:s,platform_data:a{sv} -
method Undo platform_data:a{sv} -
method Redo platform_data:a{sv} -
property UndoStatus i read
app org.gnome.Calculator | Calculator
at org.gnome.Calculator /org/gnome/Calculator
action about - -
action help - -
action new-window - -
action preferences - -
action quit - -
action shortcuts - -
at org.gnome.Calculator /org/gnome/Calculator/window/1
action clear - -
action close - -
action copy - -
action mode s s
action number-format s s
action paste - -
action redo - -
action undo - -
app org.mpris.MediaPlayer2.mpv | mpv
at org.mpris.MediaPlayer2.mpv /org/mpris/MediaPlayer2
interface org.mpris.MediaPlayer2
method Raise - -
method Quit - -
property CanQuit b read
property Fullscreen b readwrite
property CanSetFullscreen b read
property CanRaise b read
property HasTrackList b read
property Identity s read
property DesktopEntry s read
property SupportedUriSchemes as read
property SupportedMimeTypes as read
interface org.mpris.MediaPlayer2.Player
method Next - -
method Previous - -
method Pause - -
method PlayPause - -
method Stop - -
method Play - -
method Seek Offset:x -
method SetPosition TrackId:o,Offset:x -
method OpenUri Uri:s -
property PlaybackStatus s read
property LoopStatus s readwrite
property Rate d readwrite
property Shuffle b readwrite
property Metadata a{sv} read
property Volume d readwrite
property Position x read
property MinimumRate d read
property MaximumRate d read
property CanGoNext b read
property CanGoPrevious b read
property CanPlay b read
property CanPause b read
property CanSeek b read
property CanControl b read
app org.freedesktop.Notifications | Notifications
at org.freedesktop.Notifications /org/freedesktop/Notifications
interface org.dunstproject.cmd0
method ContextMenuCall - -
method NotificationAction number:u -
method NotificationCloseLast - -
method NotificationCloseAll - -
method NotificationListHistory - aa{sv}
method NotificationPopHistory id:u -
method NotificationShow - -
method RuleEnable name:s,state:i -
method Ping - -
property paused b readwrite
property displayedLength u read
property historyLength u read
property waitingLength u read
interface org.freedesktop.Notifications
method GetCapabilities - as
method Notify app_name:s,replaces_id:u,app_icon:s,summary:s,body:s,actions:as,hints:a{sv},expire_timeout:i u
method CloseNotification id:u -
method GetServerInformation - s
]]

local ACCESS = { read = "r", write = "w", readwrite = "rw" }


local TYPES = { b = "boolean", i = "integer", u = "integer", x = "integer", d = "number", s = "string", o = "object path" }

local type_of
function type_of(signature)
  if TYPES[signature] then return { name = TYPES[signature], list = false } end
  if signature:find "^a{" then return { name = "object", list = false } end
  return { name = type_of(signature:sub(2)).name, list = true }
end


local function parameters_of(text)
  local list = {}
  for name, signature in text:gmatch "([%w_]+):([^,]+)" do
    list[#list + 1] = { name = name, types = { type_of(signature) }, required = true }
  end
  return list
end


local READ = {}

function READ.app(at, id, _, name)
  at.model = { id = id, name = name, version = "", source = "dbus", suites = {}, notes = {} }
  at.models[#at.models + 1] = at.model
end

function READ.at(at, to, path)
  at.to, at.path, at.actions = to, path, nil
end

function READ.interface(at, name)
  at.suite = { name = name, commands = {}, classes = {}, enumerations = {}, records = {} }
  table.insert(at.model.suites, at.suite)
end

function READ.method(at, name, arguments, gives)
  table.insert(at.suite.commands, { name = name, parameters = parameters_of(arguments),
    result = gives ~= "-" and { types = { type_of(gives) } } or nil,
    call = { kind = "method", bus = "session", to = at.to, path = at.path, interface = at.suite.name, member = name } })
end

function READ.property(at, name, signature, access)
  local class = at.suite.classes[1]
  if not class then
    class = { name = at.suite.name:match "[^.]*$", properties = {}, elements = {} }
    at.suite.classes[1] = class
  end
  table.insert(class.properties, { name = name, types = { type_of(signature) }, access = ACCESS[access] })
end

--- A state of each type, as the program has it before anything is done. States of other types are not told.
local STATES = { b = false, i = 0, s = "" }

function READ.action(at, name, parameter, state)
  if not at.actions then
    READ.interface(at, at.path:find "/window/" and "Window actions" or "Application actions")
    at.actions = true
  end
  table.insert(at.suite.commands, { name = name,
    parameters = parameter ~= "-" and { { name = "parameter", types = { type_of(parameter) }, required = true } } or {},
    call = { kind = "action", bus = "session", to = at.to, path = at.path, interface = "org.gtk.Actions", member = name,
             parameter_type = parameter ~= "-" and parameter or nil, stateful = state ~= "-", state = STATES[state] } })
end


---@return table[] models
function M.models()
  local at = { models = {} }
  for line in BUS:gmatch "[^\n]+" do
    local fields = {}
    for field in line:gmatch "%S+" do fields[#fields + 1] = field end
    if fields[1] == "app" then fields[4] = line:match "| (.*)$" end
    READ[fields[1]](at, table.unpack(fields, 2))
  end
  return at.models
end


return M
