// Plain JavaScript: it is loaded before anything else.
let given = 0o022;

/** From now on nobody but this user can read what this process makes: databases, keys, whatever it keeps. */
export const keepFilesPrivate = () => {
  given = process.umask(0o077);
};

/** The mode of a new file that the user asked for, as their own umask has it. */
export const modeOfUsersFile = () => 0o666 & ~given;
