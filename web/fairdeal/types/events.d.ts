/**
 * Follows the log, with a new connection when one breaks.
 * @param {import("./client.js").Client} client
 * @param {{after?: number, table?: string, signal?: AbortSignal}} [options]
 * @returns {AsyncGenerator<LogEvent, void, void>}
 */
export function readEvents(client: import("./client.js").Client, { after, table, signal }?: {
    after?: number;
    table?: string;
    signal?: AbortSignal;
}): AsyncGenerator<LogEvent, void, void>;
/**
 * An entry of the log.
 */
export type LogEvent = {
    index: number;
    /**
     * its kind, such as `deal`
     */
    event: string;
    /**
     * its exact bytes
     */
    entry: string;
};
