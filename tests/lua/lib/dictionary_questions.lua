--- Questions about the applications of dictionary_bus and dictionary_own, with the answers that are right. A line is
--- `question | answers`, each answer `ID: NAME`, several separated by commas. Of a property the last part of its name is enough.

return [[
print what I am looking at in the PDF viewer | org.gnome.Evince: print
turn the pdf page sideways | org.gnome.Evince: rotate-right, org.gnome.Evince: rotate-left
make the text of the book larger in evince | org.gnome.Evince: zoom-in, org.gnome.Evince: zoom
start a talk with this PDF filling the screen | org.gnome.Evince: presentation, org.gnome.Evince: fullscreen
two pages next to each other in the document viewer | org.gnome.Evince: dual-page
white text on black background in evince | org.gnome.Evince: inverted-colors
go to the parent directory in nautilus | org.gnome.Nautilus: up
create a directory with nautilus | org.gnome.Nautilus: CreateFolder
take back what I did to my files | org.gnome.Nautilus: Undo, org.gnome.Nautilus: undo
wastebasket: throw everything out for good | org.xfce.FileManager: EmptyTrash, org.gnome.Nautilus: EmptyTrash
give many photos new names at once | org.xfce.FileManager: BulkRename
who may read this file? permissions in thunar | org.xfce.FileManager: DisplayFileProperties, org.xfce.FileManager: ShowItemProperties
duplicate the current line in mousepad | org.xfce.mousepad: edit.duplicate-line-selection
use python colouring in the text editor | org.xfce.mousepad: document.filetype, org.gnome.gedit: highlight-mode
remove blanks at the ends of lines | org.xfce.mousepad: edit.convert.strip-trailing-spaces
alphabetize lines in gedit | org.gnome.gedit: sort
find spelling mistakes in gedit | org.gnome.gedit: check-spell, org.gnome.gedit: inline-spell-checker
reopen the tab I just closed | org.gnome.gedit: reopen-closed-tab, org.gnome.Nautilus: restore-tab
how far into the song are we | org.mpris.MediaPlayer2.mpv: Position
play tracks in random order | org.mpris.MediaPlayer2.mpv: Shuffle
loop this song forever | org.mpris.MediaPlayer2.mpv: LoopStatus
watch the film at double speed | org.mpris.MediaPlayer2.mpv: Rate
quieter please, the music is too loud | org.mpris.MediaPlayer2.mpv: Volume
stop the music for a moment | org.mpris.MediaPlayer2.mpv: Pause, org.mpris.MediaPlayer2.mpv: PlayPause
hide all notification bubbles | org.freedesktop.Notifications: NotificationCloseAll
do not disturb: hold notifications back | org.freedesktop.Notifications: paused
switch the calculator to hex | org.gnome.Calculator: mode, org.gnome.Calculator: number-format
wipe the calculator's display | org.gnome.Calculator: clear
jump to line 40 in mousepad | org.xfce.mousepad: search.go-to
bigger font in mousepad | org.xfce.mousepad: increase-font-size, org.xfce.mousepad: view.select-font
send this message now | com.example.postbox: dispatch
check for mail in Postbox | com.example.postbox: collect
how many messages have I not read | com.example.postbox: unopened count
who is this mail from | com.example.postbox: sender
archive these letters | com.example.postbox: file away
cut the edges off a picture | com.example.darkroom: crop
turn the picture upright | com.example.darkroom: rotate
save a photo as JPEG | com.example.darkroom: export
give a picture five stars | com.example.darkroom: rating
when was this picture taken | com.example.darkroom: shot date
]]
