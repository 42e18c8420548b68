// A text and what it is checked for, as the fragment of an address: JSON, deflated, in the alphabet of URLs.

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function fragmentOf(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
  return `#${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

// Null where the fragment is none of ours.
export async function stateOf(fragment) {
  try {
    const text = atob(fragment.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = await through(Uint8Array.from(text, each => each.charCodeAt(0)), new DecompressionStream('deflate-raw'));
    const {name, text: source, version, target} = JSON.parse(new TextDecoder().decode(bytes));
    return typeof source === 'string' ? {name: String(name), text: source, version, target} : null;
  } catch {
    return null;
  }
}
