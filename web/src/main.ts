import { makePage } from './page';
import { readRecords } from './records';

document.getElementById('page')?.append(...makePage(readRecords()));
