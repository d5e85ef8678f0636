// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the address after `#` says what is shown, so that each view can be linked: "#/subject/task?step=3".
import { useEffect, useState } from 'preact/hooks';

export interface Route {
  path: string[];
  query: URLSearchParams;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

export function linkTo(...path: string[]): string {
  return `#/${path.map(encodeURIComponent).join('/')}`;
}

/** The query of this view changes; that is no step to go back to. */
export function replaceQuery(change: (query: URLSearchParams) => void): void {
  const { path, query } = parseRoute(location.hash);
  change(query);
  const text = query.toString();
  history.replaceState(null, '', `${linkTo(...path)}${text ? `?${text}` : ''}`);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const changed = () => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}
