--- Words that mean the same on a desktop, and words that say nothing in a question.
--
-- A person asks to "throw away a picture", a dictionary says "delete" and "image". Each line below is a ring: a question with one
-- of its words also finds the others. A word may be in several rings; rings are not joined by it. Words of an application
-- ("rss", "spreadsheet") are in the file of its examples, in lua/dictionary.

local set_of = require("word_set").of

local M = {}

local RINGS = [[
start begin launch boot run play resume power
stop end quit halt terminate finish shut off exit kill abort cancel
close dismiss hide shut
pause suspend hold freeze
resume continue unpause
next forward skip advance following ahead
previous back backward backwards prior last earlier
first beginning start top
last end bottom final
go jump navigate move scroll travel seek skip
seek jump position skip rewind ahead
open show display reveal view present visit browse
show display reveal highlight
new make create add insert
add append insert put include attach
delete remove erase trash discard throw unlink destroy drop rid away
trash bin wastebasket rubbish garbage recycle
empty clear clean purge wipe everything
copy duplicate clone replicate
repeat repeated duplicate double redundant
move shift relocate transfer put
rename name title call
name title label caption
save store keep export write
write save put store
import load bring read ingest
export save extract write output
send push mail transmit post upload deliver put
receive get fetch pull check download
download fetch pull get receive
upload push send put
refresh reload synchronize sync update recheck renew
sync synchronize update
get read find query obtain list
find search look locate lookup query discover
replace substitute exchange swap
select choose pick highlight mark selection selected
mark flag set tag
set change switch modify edit adjust convert turn configure make
edit change modify update alter
convert transform change turn translate into
enable activate on turn switch allow
disable deactivate off turn switch forbid
toggle switch turn flip
sort order arrange alphabetical alphabetically rank
reverse invert flip opposite backwards upside
join merge combine concatenate unite
split unmerge separate divide detach
trim cut crop shorten strip clip
resize scale size smaller bigger larger shrink enlarge grow
zoom scale magnify bigger larger smaller closer enlarge
bigger larger increase grow up raise louder
smaller decrease reduce shrink down lower quieter
rotate turn sideways orientation spin
undo revert back
redo again repeat
revert reset restore undo discard original
reset restore default original initial normal
sum count number many total amount quantity
count length many number statistics
click push press hit tap mouse
type keystroke key enter input keyboard letters press
wait delay pause sleep
sleep suspend standby
restart reboot
shutdown shut power off
login logon log sign
logout log sign
mute silence silent quiet
volume sound loud audio loudness mute
say speak read aloud voice
notification notify message alert notice bubble popup pop banner
dialog ask question prompt answer alert box popup
reply answer respond
forward redirect pass
message email mail letter
unread new read seen
read seen unread
junk spam
sender from author who wrote
recipient to receiver addressee
trash delete throw
folder directory
file document item
item object thing entry
disk drive volume image
free space left available capacity room
size big large bytes length
eject unmount
mount attach connect
picture image photo photograph
wallpaper background picture
desktop background wallpaper screen
page website web site url address location link
url address link location uri
script code program macro
javascript script
command shell unix terminal script program
output result print prints returns outcome
print paper printer
execute run perform do invoke evaluate
text words content contents body string letters
letter character glyph
upper uppercase capital capitalize big
lower lowercase small
case uppercase lowercase upper lower capital
line row paragraph
duplicate repeated double same twice
comment remark note annotation
encoding charset utf unicode
indent shift indentation tab
spaces tabs tab indent blanks whitespace
whitespace blank spaces trailing
quotes quotation quote
curly smart typographic
straight dumb plain
dash hyphen
width narrow full half
language syntax highlighting programming
syntax style coloring highlighting color language filetype
theme color appearance scheme look style
dark appearance night
font typeface
wrap long break fold
spelling spell misspelled spellcheck typo orthography
feed feeds rss subscription subscriptions
subscribe subscription add
article articles entry story post news
calendar schedule agenda
event appointment meeting
date when time day
start begin beginning begins
end until finish
due deadline
task todo reminder
completed done finished complete
birthday birth born
person contact people friend
phone telephone number call
email mail
note memo
attachment attached attach enclosure
cell spreadsheet
table spreadsheet grid
transpose swap exchange
formula calculation
column columns
slide page
presentation slideshow presenting present deck
presenter speaker notes
skipped skip hidden leave omit
pdf export
movie film video clip
song track music tune
artist singer sing sung band musician composer
playlist list
album record
player music video media playback
playback playing play
playing current now
shuffle random mix
repeat loop
speed rate fast slow quick
rating stars
record recording capture
camera webcam
microphone audio
screen display monitor
screenshot capture snapshot screen
window tab
tab window
minimize minimise hide dock iconify
minimized miniaturized collapsed
fullscreen full screen maximize
front frontmost active focus current
active front current running
sidebar side panel pane
toolbar bar buttons
menu item
preferences settings options configuration
settings configuration setup parameters
properties information info details metadata
info information details about
help manual documentation guide
history recent past earlier
recent last latest
bookmark favorite favourite star
dock panel
login startup log boot
user account person
password secret
ip network address internet
network ip wifi connection lan
usb stick device hardware
device hardware peripheral
connect plug attach
disconnect unplug detach
vm virtual machine guest
machine computer guest
host computer mac
computer mac machine host
guest inside
keyboard keys scancode keystroke
status state
state status condition
running busy active alive
busy running still
location place where position
position place location where bounds
bounds position size geometry
clipboard pasteboard copied paste copy
paste insert clipboard
current now present
internet web online
application app program software
process program application running
launcher quicksilver
huge large big giant
code lua script
console log terminal
database store
compact optimize shrink clean
expand collapse
link shortcut alias symlink
alias shortcut link
shortcut workflow automation
permission owner privileges rights
hidden invisible
visible shown show
tag label
label color
calculator calculate math
calculate evaluate compute
mode scientific advanced basic programming
number digit numeric
document text file
template stationery
annotation note comment highlight
rotate orientation
page sheet
line lines number
column block
clear wipe empty
share send
archive zip compress
screen monitor
brightness bright dim
battery power
lock protect
unlock decrypt
chat conversation message
parent enclosing above up containing upper
home house
trashcan trash
quit close exit
position progress far elapsed
hexadecimal hex binary octal programming
python java code source language
delete permanently forever
timer alarm clock
lyrics words text
genre style
cover artwork picture album
podcast episode
cursor caret insertion
path location
extension suffix ending
kind type
newest latest recent
draft unsent
inbox mailbox
style format
bold italic style font
margin edge border
pane split panel
profile settings
session login
environment variable
argument parameter
memory ram
processor cpu
network adapter interface
share shared
disc cd dvd iso
disturb quiet pause silence
letter alphabet
author creator owner
address street home
city town
company organization firm employer
picture icon
warning alert caution
answer reply result
question ask prompt
check verify test
mistake error fault syntax
compile build
test check
branch version
compress pack shrink
magnify zoom
upside flip mirror
mirror flip
tilt rotate
sharp clear
blank empty
contents index outline
outline index sidebar
chapter section
quote cite
footnote note
header heading title
size dimensions width height
measure dimensions size
width wide
height tall high
distance length
newline eol crlf return
status running stopped state
backup previous copy old version
beside dual two
progress operation transfer
properties details permissions
always whenever automatically
evaluate expression value
lock readonly protect editable viewer
weather forecast
map place location
]]

--- Phrases that dictionaries write as one word, or differently: "phrase = words".
local PHRASES = [[
to do = todo
e mail = email
upper case = uppercase
lower case = lowercase
capital letters = uppercase
capitals = uppercase
small letters = lowercase
full screen = fullscreen
wi fi = wifi
side bar = sidebar
tool bar = toolbar
menu bar = menubar
status bar = statusbar
pop up = popup
slide show = slideshow
time out = timeout
log in = login
log out = logout
shut down = shutdown
white space = whitespace
spread sheet = spreadsheet
screen shot = screenshot
file name = filename name
key stroke = keystroke
book mark = bookmark
how many = count
how much = amount
how loud = volume
how long = duration
how big = size
how fast = speed
not yet read = unread
not read yet = unread
get rid of = delete
throw away = delete
turn off = disable
turn on = enable
switch off = disable
switch on = enable
go to = goto go
look up = lookup
right now = now
the moment = now
each time = whenever
every time = whenever
side by side = beside
next to = beside
for good = permanently
for ever = forever
switched on = running
turned on = running
powered on = running
switched off = stopped
turned off = stopped
powered off = stopped
line break = newline
line ending = newline
line feed = newline
word count = count words
do not disturb = pause notifications
]]

local STOP = [[
a an the this that these those it its i me my mine we us our you your he his she her they them their him
in of for with without at by from into onto as to about than then there here per
is are was were be been being am do does did doing have has had having can could will would shall should may might must
and or but if so no yes too also just only very more most some any each every all both other another such same
what which how please want wants need needs like lets ever yet already still via s t d ll re ve m
]]

--- Words that say little: they count for less than others.
local WEAK = [[
make made makes get gets got set tell tells say says give gives use uses using used let take takes put new open show
on off up down out over under one ones thing things something way current now own not moment whenever again
linux ubuntu debian gnome macos
application app program
]]


M.STOP, M.WEAK = set_of(STOP), set_of(WEAK)


--- By its first word, the phrases that begin so, longest first: {further words, words in their place}.
---@type table<string, {[1]: string[], [2]: string[]}[]>
M.PHRASES = {}
for phrase, other in PHRASES:gmatch "([^\n=]+) = ([^\n]+)" do
  local words, instead = {}, {}
  for word in phrase:gmatch "%S+" do words[#words + 1] = word end
  for word in other:gmatch "%S+" do instead[#instead + 1] = word end
  local first = table.remove(words, 1)
  M.PHRASES[first] = M.PHRASES[first] or {}
  table.insert(M.PHRASES[first], { words, instead })
  table.sort(M.PHRASES[first], function(a, b) return #a[1] > #b[1] end)
end


--- Calls visit with the words of each ring.
---@param visit fun(words: string[])
function M.each(visit)
  for line in RINGS:gmatch "[^\n]+" do
    local words = {}
    for word in line:gmatch "%S+" do words[#words + 1] = word end
    visit(words)
  end
end


return M
