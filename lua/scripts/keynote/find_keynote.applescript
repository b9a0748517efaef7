-- find_keynote: which Keynote to work. No arguments.
-- Prints its bundle id: the one that runs, else the newest that is installed.
-- Keynote 15 and later is com.apple.Keynote, before it was com.apple.iWork.Keynote; both may be installed.
-- Asking for `running` and `version` starts no application.
on run
	set candidates to {"com.apple.Keynote", "com.apple.iWork.Keynote"}
	repeat with candidate in candidates
		try
			if running of application id (contents of candidate) then return contents of candidate
		end try
	end repeat
	repeat with candidate in candidates
		try
			get version of application id (contents of candidate)
			return contents of candidate
		end try
	end repeat
	error "Keynote is not installed" number -10814
end run
