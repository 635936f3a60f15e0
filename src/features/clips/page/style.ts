import { STYLE } from '#platform/rendering/html/style.ts';

/** What the pages of clips have beyond the other pages: forms, numbers, sound. */
export const CLIP_STYLE = `${STYLE}
main{overflow-wrap:anywhere}.cards .tag{white-space:normal}
.stats{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:1rem;margin:0}
.stats div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
.stats dt{color:var(--muted);font-size:.92rem}.stats dd{margin:0;font-size:1.9rem;font-weight:700;line-height:1.15;overflow-wrap:anywhere}
.cards>li>p:last-child{margin-bottom:0}
hr{border:0;border-top:1px solid var(--line);margin:1.6rem 0}
blockquote{margin:.6rem 0}
audio{display:block;width:100%;margin:.3rem 0 1rem}
.session{display:grid;gap:0 2.2rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:48rem){.session.both{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}}
.session .scroll{max-height:26rem;overflow-y:auto}
.said{list-style:none;margin:0;padding:0}
.said li{display:grid;grid-template-columns:3.4rem minmax(0,1fr);margin:0 0 .7rem}
.said time{color:var(--muted);font-variant-numeric:tabular-nums;font-size:.9rem}
.said strong{display:block;font-size:.92rem}
.said span{overflow-wrap:anywhere}
form{margin:0}fieldset{border:0;margin:0;padding:0;min-width:0}
legend{padding:0;font-size:1.3rem;font-weight:650;line-height:1.3;overflow-wrap:anywhere}
.field{display:block;margin:.9rem 0 .25rem;font-size:.95rem}
input,textarea{display:block;font:inherit;color:inherit;width:100%;max-width:34rem;padding:.6rem .7rem;background:var(--page);border:1px solid var(--muted);border-radius:8px}
input[type=file]{border-style:dashed;padding:.8rem .7rem}
.buttons{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0 0}
button,.button{font:inherit;font-weight:600;min-height:2.9rem;padding:.55rem 1.15rem;border-radius:8px;border:1px solid var(--accent);cursor:pointer;background:var(--surface);color:var(--accent);text-decoration:none;display:inline-block;max-width:100%;overflow-wrap:anywhere}
button.first,.button{background:var(--accent);color:var(--surface)}
button.quiet{border-color:transparent;background:none;font-weight:400;text-decoration:underline}
button:focus-visible,input:focus-visible,textarea:focus-visible,audio:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media print{form,audio{display:none}.session .scroll{max-height:none;overflow:visible}}
`;
