// Checks catalogue files: `node scripts/check-catalogue.ts [folder or file …]`, all of them without an argument.
import { checkCatalogue } from '../src/features/catalogue/check-catalogue.ts';

const { categories, companies, files, problems } = checkCatalogue(process.argv.slice(2));
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${categories} categories, ${companies} companies, ${problems.length} problems in ${files} files\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
