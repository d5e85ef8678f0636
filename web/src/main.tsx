// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page that `ordeal --html` writes. Its data is the JSON in the element "data".
import './style.css';
import { render, type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AllAtOnceView, AuditedScenarioView, AuditOverview, siteKey, SiteView, SubjectView } from './audit';
import { CheckOverview, ScenarioView } from './check';
import { Facts, shortFile } from './parts';
import { ReplayView } from './replay';
import { linkTo, useRoute } from './route';
import { StressedView, StressOverview } from './stress';
import type { Document } from './types';

interface View {
  title: string;
  /** Where Esc and the line above the title lead: names and addresses, outermost first. */
  above: [string, string][];
  content: ComponentChildren;
}

const nothing = (above: [string, string][]): View => ({
  title: 'Not in this report',
  above,
  content: <p>The address names nothing that this report has.</p>,
});

function viewOf(document: Document, path: string[]): View {
  const home: [string, string] = ['overview', linkTo()];
  const [what, name = '', part, key = '', last] = path;
  switch (document.command) {
    case 'check': {
      const only = document.report.scenarios.length === 1 ? document.report.scenarios[0] : undefined;
      if (what === undefined) {
        // Of one scenario the overview would be one row.
        if (only) {
          const content = <ScenarioView of={only} in={document} alone={document.report} />;
          return { title: only.name, above: [], content };
        }
        return { title: 'check', above: [], content: <CheckOverview report={document.report} /> };
      }
      const found = document.report.scenarios.find((each) => each.name === name && (!part || each.engine === part));
      if (what !== 'scenario' || !found) return nothing([home]);
      return { title: name, above: [home], content: <ScenarioView key={path.join()} of={found} in={document} /> };
    }
    case 'replay':
      return { title: document.report.name, above: [], content: <ReplayView report={document.report} in={document} /> };
    case 'stress': {
      if (what === undefined)
        return { title: 'stress', above: [], content: <StressOverview report={document.report} /> };
      const found = document.report.scenarios.find((each) => each.name === name);
      if (what !== 'stress' || !found) return nothing([home]);
      return { title: name, above: [home], content: <StressedView key={name} of={found} /> };
    }
    case 'audit': {
      if (what === undefined)
        return { title: 'audit', above: [], content: <AuditOverview report={document.report} in={document} /> };
      const subject = document.report.subjects.find((each) => each.name === name);
      if (what !== 'subject' || !subject) return nothing([home]);
      const above: [string, string][] = [home, [name, linkTo('subject', name)]];
      if (part === undefined)
        return { title: name, above: [home], content: <SubjectView key={name} of={subject} in={document} /> };
      if (part === 'site') {
        const site = subject.sites.find((each) => siteKey(each) === key);
        if (!site) return nothing(above);
        return {
          title: `${site.function} ${shortFile(site.file)}:${site.line}${last ? ` with ${last}` : ''}`,
          above,
          content: <SiteView key={path.join()} subject={subject} site={site} order={last} in={document} />,
        };
      }
      if (part === 'scenario') {
        const found = subject.scenarios.find((each) => each.name === key);
        if (!found) return nothing(above);
        return { title: key, above, content: <AuditedScenarioView key={key} of={found} in={document} /> };
      }
      const joint = part === 'all-at-once' ? subject.minimal_assignments[Number(key)]?.all_at_once : undefined;
      if (!joint) return nothing(above);
      return { title: 'Weakened together', above, content: <AllAtOnceView of={joint} in={document} /> };
    }
  }
}

function Page({ document: shown }: { document: Document }) {
  const { path } = useRoute();
  const view = viewOf(shown, path);
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  const address = path.join('/');

  // A view begins at its top, for readers of the screen too.
  useEffect(() => {
    document.title = `${view.title} \u2013 ordeal ${shown.command}`;
    if (first.current) {
      first.current = false;
      return;
    }
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [address]);

  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const parent = view.above.at(-1);
      if (event.key !== 'Escape' || event.defaultPrevented || !parent) return;
      if (event.target instanceof HTMLInputElement && event.target.type === 'search' && event.target.value) return;
      location.hash = parent[1];
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, [address]);

  return (
    <>
      <header class="top">
        <span class="brand">ordeal</span>
        <nav aria-label="Where this is">
          {view.above.map(([name, link]) => (
            <>
              <a href={link}>{name}</a>
              <span aria-hidden="true"> / </span>
            </>
          ))}
        </nav>
        <span class="quiet version">
          {shown.command} {shown.report.version}
        </span>
      </header>
      <main>
        <h1 ref={heading} tabIndex={-1}>
          {view.title}
        </h1>
        {path.length === 0 && shown.asked.length > 0 && <Facts of={shown.asked} />}
        {view.content}
      </main>
    </>
  );
}

const data = document.getElementById('data')?.textContent ?? '{}';
render(<Page document={JSON.parse(data) as Document} />, document.getElementById('page')!);
