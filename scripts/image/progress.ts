/** Takes a line that says what is being done. */
export type Progress = (line: string) => void;
