// Requests to the server behind the page.

async function receive(response) {
  const answer = await response.json().catch(() => ({error: `the server answered with status ${response.status}`}));
  if (!response.ok) throw new Error(answer.error ?? `status ${response.status}`);
  return answer;
}

async function get(path) {
  return receive(await fetch(path, {cache: 'no-store'}));
}

async function post(path, body) {
  return receive(
    await fetch(path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)}),
  );
}

export const gallery = () => get('gallery');

export async function rulePage(id) {
  const response = await fetch(`rule?id=${encodeURIComponent(id)}`);
  return response.ok ? response.text() : `The page of ${id} is missing.`;
}

// The language server's answer about a text.
export async function askLanguage(name, text, method, params = {}) {
  const answer = await post('language', {name, text, method: `textDocument/${method}`, params});
  if (answer.error) throw new Error(answer.error);
  return answer.result;
}

const POLL_MILLISECONDS = 120;

// Judges a kernel. `signal` cancels it; `progress` hears how many requests come first, and the seconds so far.
export async function judge(request, signal, progress) {
  const {ticket} = await post('judge', request);
  const start = performance.now();
  try {
    for (;;) {
      if (signal.aborted) throw new DOMException('cancelled', 'AbortError');
      const state = await get(`answer?ticket=${ticket}`);
      if (state.answer) {
        if (state.answer.error) throw new Error(state.answer.error);
        return state.answer;
      }
      progress(state.waiting, (performance.now() - start) / 1000);
      await new Promise(resume => setTimeout(resume, POLL_MILLISECONDS));
    }
  } catch (error) {
    if (signal.aborted) post('cancel', {tickets: [ticket]}).catch(() => {});
    throw error;
  }
}
