/**
 * The records of a CSV file, without empty lines.
 * @param {string} text
 * @returns {Generator<CsvRecord>}
 */
export function csvRecords(text: string): Generator<CsvRecord>;
/**
 * One record. `fault` is its fault, if it has one; `isEnded` whether a line end followed; `isOpen`
 * whether the file ended inside a quoted cell.
 */
export type CsvRecord = {
    cells: string[];
    at: number;
    fault: string | null;
    isEnded: boolean;
    isOpen: boolean;
};
