import { describe, expect, it } from 'vitest';
import { isContentless } from './substance.ts';

describe('text without content', () => {
  it.each([
    'hello there, anyone home?',
    'good morning, hope you are well',
    'can you read this?',
    'hola, ¿para qué sirve esto?',
    'salut, c’est pour quoi faire ?',
    'There will be a free tier, a pro tier and an enterprise tier.',
    'El domingo fuimos a casa de mi tía, comimos paella y luego dimos un paseo.',
    'how accurate are your results?',
    'wow this looks great, nice work',
    'a platform that leverages synergies to disrupt the world',
    'we empower people to unlock their full potential through innovation',
    'an app that makes money while I sleep',
    'uma plataforma disruptiva que gera sinergia',
    'bonjour, comment ça marche ?',
    'undefined',
    'cake cake cake',
    'asdfgh qwert',
    'lorem ipsum dolor sit amet',
    '🚀🚀🚀',
    'the Uber of everything',
    'this is bigger than the internet, trust me',
    "I can't tell you yet, I'm still waiting for the NDA",
    'scalable cloud-native agentic platform',
    'winners never quit and quitters never win',
    'feeling really motivated right now, finally time to do my own thing',
    '[insert your idea here]',
    'Ich möchte berühmt sein und dass mich alle kennen.',
    'eine ganzheitliche, innovative Lösung mit echtem Mehrwert',
    'Un concept unique au monde qui va tout changer, vous verrez',
    "j'en ai marre de tout",
    'libertad financiera ya',
    'No te la puedo contar porque me la copian',
    'quero ser dono do meu próprio nariz',
    'ainda não posso contar, mas é genial',
  ])('is “%s”', (text) => {
    expect(isContentless(text)).toBe(true);
  });

  it.each([
    'hello, I want an app that reminds my mother to take her pills',
    'hola, algo para compartir coche al trabajo',
    'Salut, un truc pour les joueurs de pétanque',
    'can you help me find a dog walker near my office?',
    'AI meeting notes',
    'dream journal',
    'todo list',
    'uber for dog walkers',
    'Haushaltsbuch für Paare',
    'controle de estoque para padaria',
    'covoiturage pour le travail',
    'recordar pastillas a mi abuela',
    'project management',
    'side hustle',
    'my back hurts from sitting all day',
    'an AI-native ecosystem disrupting funerals',
    'hi, can you make something for people with migraines?',
    'something that helps my grandmother use her phone',
    'Ich finde nie einen Parkplatz',
    'potager',
    'on oublie toujours de sortir les poubelles',
    'dormir mejor',
    'quero ficar rico com brigadeiro',
  ])('is not “%s”', (text) => {
    expect(isContentless(text)).toBe(false);
  });
});
