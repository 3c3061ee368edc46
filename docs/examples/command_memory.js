// A memory system as a program in JavaScript: it recalls the events that share most words with the question.
const memories = new Map(); // scope -> the events that it heard
const origin = (event) => (event.sources.length ? event.sources : [event.id]);
const words = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

function recall(events, { text, limit }) {
  const asked = words(text);
  return events
    .map((event) => ({ event, score: [...words(event.content)].filter((word) => asked.has(word)).length }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit ?? undefined)
    .map(({ event, score }) => ({ id: event.id, text: event.content, event_ids: origin(event), score }));
}

const operations = {
  hello: () => ({ protocol: 1, name: "word-overlap-js", version: "1.0", capabilities: { fork: true } }),
  open: ({ scope }) => void memories.set(scope, []),
  write: ({ scope, event }) => void memories.get(scope).push(event),
  recall: ({ scope, query }) => recall(memories.get(scope), query),
  fork: ({ scope, to }) => void memories.set(to, [...memories.get(scope)]),
  usage: () => ({}), // no model is called
  close: ({ scope }) => void memories.delete(scope),
};

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  const operation = operations[request.op];
  const answer = operation
    ? { ok: true, result: operation(request) ?? null }
    : { ok: false, error: { kind: "unsupported", message: request.op } };
  console.log(JSON.stringify({ id: request.id, ...answer }));
});
