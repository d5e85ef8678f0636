// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source beside a trace, with the lines marked that its steps stand on.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { shortFile } from './parts';
import type { SourceFile } from './types';

const keywords = new Set(
  `alignas alignof auto bool break case catch char class concept const consteval constexpr constinit const_cast continue
  co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float
  for friend goto if inline int long mutable namespace new noexcept nullptr operator override private protected public
  register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
  this thread_local throw true try typedef typename union unsigned using virtual void volatile while`.split(/\s+/),
);

const token =
  /(\/\/.*$|\/\*.*?\*\/)|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b((?:std::)?memory_order(?:_\w+|::\w+)?)\b|([A-Za-z_]\w*)/g;

/** One line in colours. A comment over several lines, or a raw string, is not known as such. */
function Line({ text }: { text: string }) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(token)) {
    const [all, comment, string, order, word] = found;
    const kind = comment
      ? 'comment'
      : string
        ? 'string'
        : order
          ? 'order'
          : word && keywords.has(word)
            ? 'keyword'
            : '';
    if (!kind) continue;
    if (found.index > at) parts.push(text.slice(at, found.index));
    parts.push(<span class={`t-${kind}`}>{all}</span>);
    at = found.index + all.length;
  }
  parts.push(text.slice(at));
  return <code>{parts}</code>;
}

export interface Mark {
  label: string;
  tone: string;
  onClick?: () => void;
}

export function Source({
  files,
  file,
  line,
  marks,
  choices,
  onFile,
}: {
  files: Record<string, SourceFile>;
  file: string | undefined;
  line: number | undefined;
  marks: Map<string, Mark[]>;
  choices: string[];
  onFile: (file: string) => void;
}) {
  const pane = useRef<HTMLDivElement>(null);
  const source = file === undefined ? undefined : files[file];
  const lines = useMemo(
    () => source?.parts.map((part) => part.lines.map((text, i) => ({ number: part.first + i, text }))) ?? [],
    [source],
  );

  // Scrolls the pane and never the page.
  useEffect(() => {
    const box = pane.current;
    const row = line === undefined ? null : box?.querySelector<HTMLElement>(`[data-line="${line}"]`);
    if (!box || !row) return;
    const seen = row.offsetTop > box.scrollTop + 40 && row.offsetTop < box.scrollTop + box.clientHeight - 60;
    if (!seen) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }, [file, line, lines]);

  return (
    <section class="source" aria-label="Source">
      <div class="source-head">
        {choices.map((each) => (
          <button
            type="button"
            key={each}
            title={each}
            aria-pressed={each === file}
            class={each in files ? '' : 'absent'}
            onClick={() => onFile(each)}
          >
            {shortFile(each)}
          </button>
        ))}
      </div>
      {source ? (
        <div class="source-text" ref={pane} tabIndex={0} role="region" aria-label={`Text of ${file}`}>
          {lines.map((part, i) => (
            <>
              {i > 0 && <div class="gap">{'\u22ef'}</div>}
              {part.map(({ number, text }) => {
                const here = marks.get(`${file}:${number}`) ?? [];
                return (
                  <div
                    key={number}
                    data-line={number}
                    class={`line${here.length ? ' marked' : ''}${number === line ? ' current' : ''}`}
                    aria-current={number === line ? 'true' : undefined}
                  >
                    <span class="marks">
                      {here.slice(0, 3).map((mark) =>
                        mark.onClick ? (
                          <button type="button" class={`mark ${mark.tone}`} onClick={mark.onClick} tabIndex={-1}>
                            {mark.label}
                          </button>
                        ) : (
                          <span class={`mark ${mark.tone}`}>{mark.label}</span>
                        ),
                      )}
                      {here.length > 3 && <span class="mark">+{here.length - 3}</span>}
                    </span>
                    <span class="number">{number}</span>
                    <Line text={text} />
                  </div>
                );
              })}
            </>
          ))}
        </div>
      ) : (
        <p class="quiet">
          {file === undefined
            ? 'This step has no place in the source.'
            : `The source of ${file} is not in this report.`}
        </p>
      )}
    </section>
  );
}

/** A unified diff, its lines told by their first character and by colour. */
export function Diff({ text }: { text: string }) {
  const toneOf = (line: string) =>
    line.startsWith('+++') || line.startsWith('---')
      ? 'file'
      : line.startsWith('@@')
        ? 'place'
        : line.startsWith('+')
          ? 'added'
          : line.startsWith('-')
            ? 'removed'
            : '';
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label="The repair as a patch">
      {text
        .trimEnd()
        .split('\n')
        .map((line, i) => (
          <span key={i} class={toneOf(line)}>
            {`${line}\n`}
          </span>
        ))}
    </pre>
  );
}
