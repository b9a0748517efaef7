-- export_slide_png: slide N of a document as a picture. Keynote exports into a folder, every slide that is not skipped,
-- so the others are skipped for the time of the export, and restored also when it fails.
-- argv: bundle id, document id, slide number, folder (absolute, empty)
-- Prints the folder; the picture is the one .png in it.
on run argv
	set wanted to (item 3 of argv) as integer
	set outFolder to POSIX file (item 4 of argv)
	set failure to missing value
	using terms from application id "com.apple.Keynote"
		tell application id (item 1 of argv)
			set docRef to document id (item 2 of argv)
			set was to skipped of every slide of docRef
			if wanted > (count of was) then error "there is no slide " & wanted number -1728
			try
				repeat with i from 1 to (count of was)
					set skipped of slide i of docRef to (i is not wanted)
				end repeat
				with timeout of 60 seconds
					export docRef to outFolder as slide images with properties {image format:PNG, skipped slides:false}
				end timeout
			on error errText number errNumber
				set failure to {errText, errNumber}
			end try
			repeat with i from 1 to (count of was)
				set skipped of slide i of docRef to item i of was
			end repeat
		end tell
	end using terms from
	if failure is not missing value then error (item 1 of failure) number (item 2 of failure)
	return POSIX path of outFolder
end run
