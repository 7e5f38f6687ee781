// The form and the query of POST /v1/audio/resonance-2.
import { z } from 'zod';
import { regimes } from '../../models/affect/resonance-2.ts';
import { resonance2Model } from '../../models/contract/served-models.ts';
import { choiceField } from '../http/form-fields.ts';
import { fileAndModelForm } from '../fields/single-model.ts';

export const resonance2Form = fileAndModelForm(resonance2Model).meta({ id: 'Resonance2Request' });

export const resonance2Query = z.strictObject({ regime: choiceField(regimes).default('f1') });
