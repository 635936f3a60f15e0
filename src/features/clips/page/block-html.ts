import { webAddress } from '#lib/visible-text.ts';
import { name, scrolling, shown } from '#platform/rendering/html/markup.ts';
import type { BlockOf, ClipBlock } from '../blocks.ts';
import { AUDIO_TYPES } from '../take-roast.ts';
import { LONGEST_COMMENT } from '../schema.ts';
import { editedHtml, paragraphsHtml } from './rich-text.ts';

/** Where a page's forms and recordings stand: its own address without a slash at its end. */
export type Place = { address: string };

/** Blocks as markup, in their order; everything that came from outside is escaped. */
export function blocksHtml(blocks: readonly ClipBlock[], place: Place): string {
  let sessions = 0;
  return blocks
    .map((block, at) => {
      if (block.kind !== 'sessionReplay') return blockHtml(block, { ...place, id: `b${at}` });
      sessions += 1;
      return sessionHtml(block, { ...place, id: `b${at}` }, sessions - 1);
    })
    .filter(Boolean)
    .join('\n');
}

type BlockPlace = Place & { id: string };

function blockHtml(block: Exclude<ClipBlock, { kind: 'sessionReplay' }>, place: BlockPlace): string {
  switch (block.kind) {
    case 'hero':
      return heroHtml(block);
    case 'stats':
      return sheet(place.id, block.heading, statsHtml(block.items));
    case 'richText':
      return sheet(place.id, block.heading, editedHtml(block.content) + paragraphsHtml(block.text));
    case 'featureList':
      return sheet(place.id, block.heading, featuresHtml(block.items));
    case 'callToAction':
      return sheet(place.id, '', paragraphsHtml(block.text) + buttonHtml(block));
    case 'divider':
      return '<hr>';
    case 'voteClip':
      return voteHtml(block, place);
    case 'roast_clip':
      return roastHtml(block, place);
  }
}

/** @param content markup; a sheet without any is left out */
function sheet(id: string, heading: string, content: string): string {
  if (content === '') return '';
  if (heading === '') return `<section class="sheet">${content}</section>`;
  return `<section class="sheet" aria-labelledby="${id}"><h2 id="${id}">${shown(heading)}</h2>\n${content}</section>`;
}

const heroHtml = ({ eyebrow, title, subtitle }: BlockOf<'hero'>): string =>
  `<div class="top">${eyebrow && `<p class="kicker">${shown(eyebrow)}</p>`}${title && `<p class="word">${name(title)}</p>`}${subtitle && `<p class="lead">${shown(subtitle)}</p>`}</div>`;

function statsHtml(items: BlockOf<'stats'>['items']): string {
  if (items.length === 0) return '';
  return `<dl class="stats">${items.map(({ label, value }) => `<div><dt>${shown(label)}</dt><dd>${shown(value)}</dd></div>`).join('')}</dl>`;
}

function featuresHtml(items: BlockOf<'featureList'>['items']): string {
  if (items.length === 0) return '';
  const each = items.map(
    ({ title, description, tag }) =>
      `<li><h3>${name(title)}</h3>${tag && `<span class="tag">${shown(tag)}</span>`}${description && `<p>${shown(description)}</p>`}</li>`,
  );
  return `<ul class="cards">${each.join('\n')}</ul>`;
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const address = webAddress(url);
  if (!address || label === '') return '';
  return `<p><a class="button" href="${shown(address)}" rel="nofollow noopener noreferrer">${shown(label)}</a></p>`;
}

function sessionHtml(block: BlockOf<'sessionReplay'>, place: BlockPlace, session: number): string {
  const { title, audio_key: audio, transcript_segments: segments, advisors, research_summary: summary, cta } = block;
  const heading = title || 'The session';
  const advice = advisors.map((advisor, at) =>
    advisorHtml(advisor, soundHtml(`${heading}: ${advisor.persona}`, advisor.audio_key, place, `${session}-${at}`)),
  );
  const heard = [
    soundHtml(heading, audio, place, String(session)),
    summary && paragraphsHtml(summary),
    advice.length > 0 ? `<h3>What advisors say</h3>\n${advice.join('\n')}` : '',
    cta ? buttonHtml(cta) : '',
  ]
    .filter(Boolean)
    .join('\n');
  const transcript = segments.length > 0 ? `<div><h3>Transcript</h3>\n${scrolling('Transcript', transcriptHtml(segments))}</div>` : '';
  return sheet(place.id, heading, `<div class="session${heard && transcript ? ' both' : ''}">${heard && `<div>${heard}</div>`}${transcript}</div>`);
}

/** A player that browsers give their own controls, which the keyboard reaches. */
function soundHtml(label: string, audio: string | null, { address }: Place, at: string): string {
  if (audio === null) return '';
  const source = webAddress(audio) ?? `${address}/audio/${at}`;
  return `<audio controls preload="none" aria-label="${shown(label)}" src="${shown(source)}"></audio>`;
}

const advisorHtml = ({ persona, text }: BlockOf<'sessionReplay'>['advisors'][number], sound: string): string =>
  `<div><p><strong>${name(persona)}</strong></p>${paragraphsHtml(text)}${sound}</div>`;

const transcriptHtml = (segments: BlockOf<'sessionReplay'>['transcript_segments']): string =>
  `<ol class="said">${segments
    .map(({ speaker, text, t }) => `<li><time>${clockOf(t)}</time><span>${speaker && `<strong>${name(speaker)}</strong>`}${shown(text)}</span></li>`)
    .join('\n')}</ol>`;

/** Minutes and seconds of a moment in seconds. */
function clockOf(t: number): string {
  const seconds = Math.max(0, Math.floor(t));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function voteHtml({ question, up_label: up, down_label: down }: BlockOf<'voteClip'>, { address, id }: BlockPlace): string {
  return `<section class="sheet" id="vote"><form method="post" enctype="multipart/form-data" action="${shown(address)}/ballot"><fieldset><legend>${shown(question || 'What do you think?')}</legend>
<label class="field" for="${id}-comment">Why, in a sentence (may stay empty)</label>
<textarea id="${id}-comment" name="comment" rows="2" maxlength="${LONGEST_COMMENT}"></textarea>
<p class="buttons"><button class="first" name="vote" value="1">${shown(up || 'Yes')}</button><button name="vote" value="-1">${shown(down || 'No')}</button><button class="quiet" name="vote" value="0">Take my vote back</button></p></fieldset></form></section>`;
}

function roastHtml({ prompt }: BlockOf<'roast_clip'>, { address, id }: BlockPlace): string {
  return `<section class="sheet" id="roast"><form method="post" enctype="multipart/form-data" action="${shown(address)}/roast"><fieldset><legend>${shown(prompt || 'Say what is wrong with it')}</legend>
<label class="field" for="${id}-audio">A recording of at most 2 MB</label>
<input id="${id}-audio" type="file" name="audio" accept="audio/*,${AUDIO_TYPES.filter((type) => !type.includes(';')).join(',')}" required>
<p class="buttons"><button class="first">Send the recording</button></p></fieldset></form></section>`;
}
