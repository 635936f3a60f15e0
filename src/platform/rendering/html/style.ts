import { asProperties, DARK, LIGHT } from '../charts/colours.ts';

/** Readable on a phone, in light and dark, and on paper. */
export const STYLE = `
:root{color-scheme:light dark;${asProperties(LIGHT)};--page:#f6f8fa;font:17px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
@media (prefers-color-scheme:dark){:root{${asProperties(DARK)};--page:#0a0f14}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--ink)}
main,footer{max-width:62rem;margin:0 auto;padding:0 1.25rem}
a{color:var(--accent);text-underline-offset:.18em}
a:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
h1,h2,h3{line-height:1.22;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:clamp(1.9rem,6vw,3rem);letter-spacing:-.02em;margin:.15em 0 .3em}
h2{font-size:1.5rem;letter-spacing:-.01em;margin:0 0 .6rem}
h3{font-size:1.05rem;margin:1.4rem 0 .4rem}
p{margin:.4rem 0 .8rem;overflow-wrap:anywhere}
svg{display:block;max-width:100%;height:auto}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
.top{padding:2.4rem 0 1rem}
.kicker{margin:0;color:var(--muted);font-size:.95rem}
.lead{font-size:clamp(1.08rem,2.6vw,1.28rem);max-width:46rem}
.sheet{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:1.4rem clamp(1rem,3vw,1.8rem);margin:0 0 1.25rem}
.verdict{display:grid;grid-template-columns:minmax(9rem,13rem) 1fr;gap:1.5rem;align-items:center}
.verdict svg{width:100%}
.word{font-size:1.6rem;font-weight:700;margin:0;line-height:1.2}
.good{color:var(--good)}.fair{color:var(--fair)}.poor{color:var(--poor)}.muted{color:var(--muted)}
@media (max-width:36rem){.verdict{grid-template-columns:1fr}.verdict svg{max-width:13rem}}
.facts{display:flex;flex-wrap:wrap;gap:.4rem 2rem;margin:1rem 0 0;padding:1rem 0 0;border-top:1px solid var(--line);list-style:none}
.facts li{color:var(--muted)}.facts strong{color:var(--ink);font-size:1.15rem}
nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;list-style:none;padding:0;margin:0 0 1.25rem;font-size:.95rem}
nav a{display:inline-block;padding:.25rem 0}
.parts{list-style:none;margin:0;padding:0}
.parts li{display:grid;grid-template-columns:11rem 1fr;gap:.2rem 1.6rem;padding:.8rem 0;border-top:1px solid var(--line)}
.parts li:first-child{border-top:0}
.parts p{margin:0}.parts .asks{color:var(--muted);font-size:.88rem}
.parts svg{width:100%;max-width:11rem;margin:.35rem 0 .25rem}.parts .amount{float:right}.parts li>div:first-child{max-width:11rem}.parts .aside{font-size:.88rem}
@media (max-width:36rem){.parts li{grid-template-columns:1fr}}
.two{display:grid;gap:0 2.2rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr))}
ul.plain,ol.plain{padding-left:1.2rem;margin:.2rem 0}
.plain li{margin:.55rem 0;overflow-wrap:anywhere}
.cards{display:grid;gap:.9rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,17.5rem),1fr));list-style:none;padding:0;margin:1rem 0 0}
.cards>li{border:1px solid var(--line);border-radius:10px;padding:.85rem 1rem;break-inside:avoid}
.cards h3{margin:0 0 .2rem}.cards p{margin:.2rem 0 .5rem;font-size:.94rem}
.terms{display:grid;grid-template-columns:minmax(8rem,15rem) minmax(0,1fr);gap:.35rem 1rem;margin:0;font-size:.9rem}
.terms dt{font-weight:500}.terms dd{margin:0;overflow-wrap:anywhere}
@media (max-width:36rem){.terms{grid-template-columns:1fr;gap:0}.terms dd{margin:0 0 .55rem;color:var(--muted)}}
.pairs{display:grid;grid-template-columns:fit-content(45%) minmax(0,1fr);gap:.1rem .8rem;margin:0;font-size:.88rem}
.pairs dt{color:var(--muted)}.pairs dd{margin:0;overflow-wrap:anywhere}
.hint{display:none;color:var(--muted);font-size:.85rem;margin:.6rem 0 0}@media screen and (max-width:36rem){.hint{display:block}}
.tag{display:inline-block;font-size:.76rem;font-weight:500;border:1px solid var(--line);border-radius:1em;padding:0 .55em;white-space:nowrap;color:var(--muted)}
.tag.mine{color:var(--accent);border-color:var(--accent)}
.cite{font-size:.72em;vertical-align:super;line-height:0;white-space:nowrap}
.cite a{display:inline-block;padding:.5em .22em;text-decoration:none;min-width:1.1em;text-align:center}
.cite a:hover{text-decoration:underline}
.long{grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr))}
.long .plain li{margin:.3rem 0}.long h4{font-size:.94rem;margin:.6rem 0 .1rem}.long .plain{font-size:.94rem}
@media screen and (max-width:36rem){
:root{font-size:16px;line-height:1.5}
.sheet{padding:1.1rem .95rem}
.top{padding-top:1.4rem}
.swipe{display:flex;align-items:flex-start;overflow-x:auto;scroll-snap-type:x proximity;scroll-padding-left:.95rem;margin:1rem -.95rem 0;padding:0 .95rem .6rem}
.swipe>li{flex:0 0 84%;scroll-snap-align:start}
.sources{font-size:.85rem}.sources li{margin:.45rem 0}
.matrix .tag{display:none}.matrix th,.matrix td{padding:.3rem .4rem}
.rows td:last-child:not(.number){min-width:14rem}.scroll .rows .number{padding-right:.9rem}
}
figure{margin:0}figcaption{color:var(--muted);font-size:.88rem;margin-top:.4rem}
.key{display:inline-block;width:.75em;height:.75em;border-radius:50%;background:var(--accent)}
.key.other{background:var(--surface);border:2px solid var(--second);border-radius:1px;transform:rotate(45deg);width:.65em;height:.65em;margin:0 .15em}
.narrow{display:none}@media (max-width:40rem){.narrow{display:block}.roomy{display:none}}
.scroll{position:relative;overflow-x:auto;margin:0 -.4rem;padding:0 .4rem}
.matrix{border-collapse:separate;border-spacing:0;font-size:.88rem}
.matrix th,.matrix td{border-bottom:1px solid var(--line);padding:.4rem .45rem;text-align:center}
.matrix thead th{vertical-align:bottom;font-weight:600}
.matrix thead th span{display:inline-block;writing-mode:vertical-rl;transform:rotate(180deg);max-height:11rem;text-align:left}
.matrix th[scope=row],.matrix thead th:first-child{position:sticky;left:0;background:var(--surface);text-align:left;min-width:10rem;max-width:17rem;z-index:1;font-weight:500}
.matrix thead th.mine,.matrix td.mine{background:var(--soft)}
.matrix td.no{color:var(--muted)}
.yes{color:var(--accent);font-weight:700}
@media (max-width:40rem){.matrix th[scope=row],.matrix thead th:first-child{min-width:8.2rem;max-width:8.2rem}}
.rows{border-collapse:collapse;font-size:.92rem;min-width:100%}.rows th,.rows td{text-align:left;vertical-align:top;padding:.45rem .9rem .45rem 0;border-bottom:1px solid var(--line);min-width:6rem}.rows tbody th{font-weight:600}.rows .number{text-align:right;padding-right:2.4rem;min-width:0}
.tree{list-style:none;padding:0;margin:0}.tree li{margin:.7rem 0}.tree p{margin:.15rem 0;font-size:.92rem;color:var(--muted)}.tree .mark{color:var(--second)}
.tree .d1{margin-left:1.4rem}.tree .d2{margin-left:2.8rem}.tree .d3{margin-left:4.2rem}.tree .d4{margin-left:5.6rem}.tree .d5{margin-left:7.0rem}.tree .d6{margin-left:8.4rem}
.steps{counter-reset:step;list-style:none;padding:0;margin:0}
.steps>li{counter-increment:step;position:relative;padding:0 0 1rem 3rem;break-inside:avoid}
.steps>li::before{content:counter(step);position:absolute;left:0;top:.1rem;width:2rem;height:2rem;border-radius:50%;background:var(--soft);color:var(--accent);font-weight:700;display:grid;place-items:center}
.steps h3{margin:0}
.callout{border-left:3px solid var(--accent);padding-left:.8rem;color:var(--muted);font-size:.95rem}
.sources{padding-left:2.2rem;font-size:.9rem}.sources li{margin:.6rem 0;overflow-wrap:anywhere}
.sources li:target{background:var(--soft);outline:.4rem solid var(--soft);border-radius:2px}
.sources small{display:block;color:var(--muted);font-size:.95em}
.aside{color:var(--muted)}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
footer{color:var(--muted);font-size:.9rem;padding:1rem 1.25rem 3rem}
@media print{
:root{${asProperties(LIGHT)};--page:#fff;color-scheme:light;font-size:11pt}
main,footer{max-width:none;padding:0}
nav,.skip{display:none}
.sheet{border:0;padding:.4rem 0;border-radius:0}
h2,h3,h4{break-after:avoid}li,tr,figure{break-inside:avoid}.long>li{break-inside:auto}
.scroll{overflow:visible}.matrix{font-size:.7rem}.matrix th[scope=row],.matrix thead th:first-child{position:static}
.sources a[href]::after{content:" <" attr(href) ">";color:var(--muted)}
@page{margin:16mm}
}
`.trim();
