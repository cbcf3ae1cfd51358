// Answers the questions of a worker's page: each has an `id`, which the answer repeats.

/**
 * @param {Record<string, (question: any, tell: (progress: unknown) => void) => unknown>} answers by
 * the question's `ask`
 */
export function answerWith(answers) {
  addEventListener("message", async ({ data }) => {
    const { id } = data;
    try {
      const answer = await answers[data.ask](data, (progress) => postMessage({ id, progress }));
      postMessage({ id, answer });
    } catch (error) {
      const { code = "fault", message } = /** @type {Error & {code?: string}} */ (error);
      postMessage({ id, error: { code, says: message } });
    }
  });
}
