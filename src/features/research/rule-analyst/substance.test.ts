import { describe, expect, it } from 'vitest';
import { isContentless } from './substance.ts';

describe('text without content', () => {
  it.each([
    'hello there, anyone home?',
    'good morning, hope you are well',
    'can you read this?',
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
  ])('is “%s”', (text) => {
    expect(isContentless(text)).toBe(true);
  });

  it.each([
    'hello, I want an app that reminds my mother to take her pills',
    'can you help me find a dog walker near my office?',
    'AI meeting notes',
    'dream journal',
    'todo list',
    'uber for dog walkers',
    'Haushaltsbuch für Paare',
    'controle de estoque para padaria',
    'covoiturage pour le travail',
    'recordar pastillas a mi abuela',
  ])('is not “%s”', (text) => {
    expect(isContentless(text)).toBe(false);
  });
});
