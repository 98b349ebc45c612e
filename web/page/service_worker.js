// Keeps the page's files, so that it opens without a network, and holds its workers to a policy: what they load comes from
// beside the page. The build puts in what the files are, and a hash of them: what is kept is of one version.

const CACHE = "onnxport-REVISION";
const FILES = [FILES_OF_THE_PAGE];
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

addEventListener("install", event => event.waitUntil(
    caches.open(CACHE).then(cache => cache.addAll(FILES.map(file => new Request(file, {cache: "no-cache"}))))));

// It begins when no page of another version is open any more.
addEventListener("activate", event => event.waitUntil((async () => {
  const old = (await caches.keys()).filter(name => name.startsWith("onnxport-") && name !== CACHE);
  await Promise.all(old.map(name => caches.delete(name)));
  await clients.claim();
})()));

// The program that runs a model is kept when it is loaded for the first time.
async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, {ignoreSearch: true});
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

async function held(response) {
  const headers = new Headers(response.headers);
  headers.set("Content-Security-Policy", POLICY);
  return new Response(response.body, {status: response.status, headers});
}

addEventListener("fetch", event => {
  const {request} = event;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  event.respondWith(request.destination === "worker" ? answer(request).then(held) : answer(request));
});
